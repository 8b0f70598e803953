package io.weir.cluster.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.testing.Await;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.sql.BatchUpdateException;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.calcite.avatica.remote.ProtobufTranslationImpl;
import org.apache.calcite.avatica.remote.Service;
import org.junit.jupiter.api.Test;

/** Driver and server against each other, over a node that produces what each test needs. */
class JdbcTest extends JdbcFixture {
    @Test
    void rowsComeWithTheirTypes() throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("count 3")) {
            assertEquals(Types.BIGINT, rows.getMetaData().getColumnType(1));
            assertEquals(Types.TIMESTAMP_WITH_TIMEZONE, rows.getMetaData().getColumnType(2));
            assertEquals("INET", rows.getMetaData().getColumnTypeName(3));
            assertTrue(rows.next());
            assertTrue(rows.next());
            assertEquals(1, rows.getLong("n"));
            assertEquals("2026-11-20T23:40:01.000000005Z", rows.getString("ts"));
            assertEquals("10.0.0.1", rows.getString("addr"));
            assertEquals(0.5, rows.getDouble("share"));
            assertTrue(rows.next());
            assertNull(rows.getObject("share"));
            assertFalse(rows.next());
        }
    }

    @Test
    void manyRowsComeWholeAndInOrder() throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("count 20000")) {
            for (long n = 0; n < 20_000; n++) {
                assertTrue(rows.next());
                assertEquals(n, rows.getLong(1));
            }
            assertFalse(rows.next());
        }
    }

    @Test
    void aLoneRowIsThereBeforeItsSuccessor() throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("slow")) {
            assertTrue(rows.next());
            assertEquals(1, node.stopped.getCount(), "the producer still waits");
        }
        assertEquals(0, node.stopped.getCount());
    }

    @Test
    void closingTheStatementStopsTheProducer() throws Exception {
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("endless");
        assertTrue(rows.next());
        statement.close();
        assertTrue(node.stopped.await(5, TimeUnit.SECONDS), "the producer was not stopped");
        awaitNoneRunning();
    }

    @Test
    void aProducerWaitsForItsClient() throws Exception {
        try (Statement statement = connection.createStatement()) {
            statement.executeQuery("endless");
            node.awaitBlockedProducer();
            long produced = node.produced.get();
            assertTrue(produced <= 5_000, produced + " rows ahead of the client");
        }
    }

    @Test
    void cancelEndsAResultThatWaits() throws Exception {
        try (Statement statement = connection.createStatement()) {
            ResultSet rows = statement.executeQuery("slow");
            assertTrue(rows.next());
            Thread reader = Thread.currentThread();
            Thread canceller =
                    new Thread(
                            () -> {
                                try {
                                    awaitCall(reader, "next");
                                    statement.cancel();
                                } catch (InterruptedException | SQLException e) {
                                    throw new IllegalStateException(e);
                                }
                            });
            canceller.start();
            SQLException error = assertThrows(SQLException.class, rows::next);
            assertTrue(error.getMessage().contains("cancel"), error.getMessage());
            canceller.join();
        }
        awaitNoneRunning();
    }

    /** Waits until a thread is in a method of this name. */
    private static void awaitCall(Thread thread, String method) throws InterruptedException {
        Await.until(
                () ->
                        Stream.of(thread.getStackTrace())
                                .anyMatch(f -> f.getMethodName().equals(method)));
    }

    /** As JDBC has it: nothing runs, and the next statement has not been asked for yet. */
    @Test
    void cancelOfNothingDoesNothing() throws Exception {
        try (Statement statement = connection.createStatement()) {
            statement.cancel();
            try (ResultSet rows = statement.executeQuery("slow")) {
                assertTrue(rows.next());
                statement.cancel();
                assertThrows(SQLException.class, rows::next);
            }
            assertTrue(statement.executeQuery("slow").next());
        }
    }

    @Test
    void aSilentClientIsForgotten() throws Exception {
        disconnect();
        start(Duration.ofMillis(200));
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("endless");
        assertTrue(rows.next());
        awaitNoneRunning();
        SQLException error =
                assertThrows(
                        SQLException.class,
                        () -> {
                            while (rows.next()) {
                                rows.getLong(1);
                            }
                        });
        assertTrue(error.getMessage().contains("closed the statement"), error.getMessage());
        try (ResultSet again = connection.createStatement().executeQuery("count 1")) {
            assertTrue(again.next()); // the driver reconnects by itself
        }
    }

    private void awaitNoneRunning() throws InterruptedException {
        Await.until(() -> server.runningQueries() == 0);
        assertEquals(0, server.runningQueries());
    }

    @Test
    void errorsShowCodePlaceAndHint() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            SQLException error =
                    assertThrows(SQLException.class, () -> statement.executeQuery("nonsense"));
            String text = "error SYNTAX: no such word (line 1, column 3)\n  nonsense\n    ^\n";
            assertTrue(error.getMessage().contains(text + "hint: try show"), error.getMessage());
            assertEquals("42601", error.getSQLState());
        }
    }

    @Test
    void whatCannotBePreparedSaysWhy() throws SQLException {
        SQLException error =
                assertThrows(SQLException.class, () -> connection.prepareStatement("nonsense"));
        String text = "error SYNTAX: no such word (line 1, column 3)\n  nonsense\n    ^\n";
        assertTrue(error.getMessage().contains(text + "hint: try show"), error.getMessage());
        assertEquals("42601", error.getSQLState());
        try (PreparedStatement prepared = connection.prepareStatement("count 1")) {
            assertTrue(prepared.executeQuery().next());
        }
    }

    @Test
    void ourBugsAreInternalErrors() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            SQLException error =
                    assertThrows(SQLException.class, () -> statement.executeQuery("bug"));
            assertTrue(error.getMessage().contains("error INTERNAL: "), error.getMessage());
            assertEquals("XX000", error.getSQLState());
        }
    }

    @Test
    void aFailureComesAfterTheRowsBeforeIt() throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("fail")) {
            assertTrue(rows.next());
            assertTrue(rows.next());
            SQLException error = assertThrows(SQLException.class, rows::next);
            assertTrue(error.getMessage().contains("the file went away"), error.getMessage());
        }
    }

    @Test
    void textsAndChanges() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            ResultSet rows = statement.executeQuery("show");
            assertTrue(rows.next());
            assertEquals("a", rows.getString("name"));
            assertEquals(0, statement.executeUpdate("change"));
            assertEquals(1, node.changes.get());
        }
    }

    @Test
    void preparedStatementsAndMaxRows() throws SQLException {
        try (PreparedStatement prepared = connection.prepareStatement("count 2")) {
            assertEquals(4, prepared.getMetaData().getColumnCount());
            for (int i = 0; i < 2; i++) {
                try (ResultSet rows = prepared.executeQuery()) {
                    assertTrue(rows.next());
                    assertTrue(rows.next());
                    assertFalse(rows.next());
                }
            }
        }
        try (Statement statement = connection.createStatement()) {
            statement.setMaxRows(5);
            int count = 0;
            for (ResultSet rows = statement.executeQuery("endless"); rows.next(); ) {
                count++;
            }
            assertEquals(5, count);
        }
    }

    @Test
    void aClosedConnectionClosesItsStatements() throws SQLException {
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("endless");
        assertTrue(rows.next());
        connection.close();
        assertTrue(statement.isClosed() && rows.isClosed());
        assertEquals(0, node.stopped.getCount());
        assertThrows(SQLException.class, () -> statement.executeQuery("show"));
    }

    @Test
    void aValueIsOfTheTypeThatIsAskedFor() throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("count 2")) {
            rows.next();
            assertNull(rows.getObject("share", Double.class));
            rows.next();
            assertEquals(1L, rows.getObject(1, Long.class));
            assertEquals(1, rows.getObject("n", Integer.class));
            assertEquals("10.0.0.1", rows.getObject("addr", String.class));
            assertEquals(0.5, rows.getObject("share", Double.class));
            assertEquals(
                    OffsetDateTime.parse("2026-11-20T23:40:01.000000005Z"),
                    rows.getObject("ts", OffsetDateTime.class));
            SQLException error =
                    assertThrows(SQLException.class, () -> rows.getObject(3, Thread.class));
            assertEquals(
                    "column 3 (INET) cannot be java.lang.Thread; getString has its text",
                    error.getMessage());
        }
    }

    @Test
    void aBatchSaysHowFarItCame() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.addBatch("change");
            statement.addBatch("nonsense");
            statement.addBatch("change");
            BatchUpdateException error =
                    assertThrows(BatchUpdateException.class, statement::executeBatch);
            assertEquals(1, error.getUpdateCounts().length);
            assertTrue(error.getMessage().contains("no such word"), error.getMessage());
            assertEquals(1, node.changes.get());
        }
        assertThrows(SQLException.class, () -> connection.rollback());
    }

    /** No stack trace, no name of a class: whatever bytes come as a request. */
    @Test
    void malformedRequestsSayOneSentence() throws Exception {
        byte[] valid =
                new ProtobufTranslationImpl()
                        .serializeRequest(new Service.CreateStatementRequest("none"));
        long seed = Long.getLong("weir.seed", 23);
        Random random = new Random(seed);
        HttpClient client = HttpClient.newHttpClient();
        URI uri = URI.create("http://127.0.0.1:" + server.port() + "/");
        for (int i = 0; i < 200; i++) {
            byte[] body = i == 0 ? "{\"request\":\"getTables\"}".getBytes(UTF_8) : valid.clone();
            for (int n = i == 0 ? 0 : random.nextInt(5); n > 0; n--) {
                body[random.nextInt(body.length)] = (byte) random.nextInt(256);
            }
            HttpRequest request =
                    HttpRequest.newBuilder(uri)
                            .POST(HttpRequest.BodyPublishers.ofByteArray(body))
                            .build();
            HttpResponse<byte[]> answer =
                    client.send(request, HttpResponse.BodyHandlers.ofByteArray());
            String text = new String(answer.body(), UTF_8);
            String shown = "-Dweir.seed=" + seed + " " + i + ": " + text;
            assertTrue(answer.statusCode() == 400 || answer.statusCode() == 500, shown);
            assertFalse(text.contains("\tat ") || text.contains(".java:"), shown);
            if (i == 0) {
                assertEquals(400, answer.statusCode());
                assertTrue(text.contains("error MALFORMED_BYTES: the request is no "), shown);
            }
        }
    }

    /** Avatica's client must not take an error for a connection that is missing. */
    @Test
    void whatIsRefusedIsAskedOnce() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            node.texts.clear();
            assertThrows(SQLException.class, () -> statement.execute("nonsense"));
            assertThrows(SQLException.class, () -> connection.prepareStatement("nonsense"));
            assertEquals(List.of("nonsense", "nonsense"), node.texts);
        }
    }

    @Test
    void wrongUrlsAndAbsentServersAreErrors() {
        for (String url :
                List.of("jdbc:weir:", "jdbc:weir:localhost", "jdbc:weir://", "jdbc:weir://h/db")) {
            SQLException error =
                    assertThrows(SQLException.class, () -> DriverManager.getConnection(url));
            assertTrue(error.getMessage().contains("jdbc:weir://host[:port]"), error.getMessage());
        }
        SQLException error =
                assertThrows(
                        SQLException.class,
                        () -> DriverManager.getConnection("jdbc:weir://127.0.0.1:1"));
        assertTrue(error.getMessage().startsWith("cannot reach jdbc:weir://127.0.0.1:1: "));
    }
}
