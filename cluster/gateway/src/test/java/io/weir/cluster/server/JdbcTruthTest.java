package io.weir.cluster.server;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.testing.Await;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Calendar;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TimeZone;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Settings, errors and facts of JDBC have the effect that their documentation names. */
@Timeout(120)
class JdbcTruthTest extends JdbcFixture {
    @Test
    void aTimeOutEndsAStatement() throws Exception {
        for (boolean prepare : new boolean[] {false, true}) {
            node.rearm();
            try (Statement statement =
                    prepare ? connection.prepareStatement("slow") : connection.createStatement()) {
                statement.setQueryTimeout(1);
                long begunNs = System.nanoTime();
                ResultSet rows =
                        prepare
                                ? ((PreparedStatement) statement).executeQuery()
                                : statement.executeQuery("slow");
                assertTrue(rows.next());
                SQLTimeoutException late =
                        assertThrows(SQLTimeoutException.class, rows::next, "prepared " + prepare);
                assertEquals("57014", late.getSQLState());
                assertTrue(late.getMessage().contains("time-out of 1 s"), late.getMessage());
                long tookMs = (System.nanoTime() - begunNs) / 1_000_000;
                assertTrue(tookMs >= 1_000 && tookMs < 10_000, tookMs + " ms");
                awaitNoneRunning();
            }
        }
    }

    /** Also where the server does not come to an answer. */
    @Test
    void aTimeOutEndsAnExecution() throws Exception {
        try (Statement statement = connection.createStatement()) {
            statement.setQueryTimeout(1);
            SQLTimeoutException late =
                    assertThrows(SQLTimeoutException.class, () -> statement.execute("stuck"));
            assertEquals("57014", late.getSQLState());
        } finally {
            node.stuck.countDown();
        }
    }

    @Test
    void cancelHasItsState() throws Exception {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("endless")) {
            assertTrue(rows.next());
            statement.cancel();
            SQLException cancelled = assertThrows(SQLException.class, () -> drain(rows));
            assertEquals("57014", cancelled.getSQLState());
            awaitNoneRunning();
        }
    }

    private void awaitNoneRunning() throws InterruptedException {
        Await.until(() -> server.runningQueries() == 0);
        assertEquals(0, server.runningQueries());
    }

    @Test
    void anAnswerIsWaitedForAsLongAsTheNetworkMay() throws Exception {
        connection.setNetworkTimeout(Runnable::run, 300);
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("slow")) {
            assertTrue(rows.next());
            Thread stopper = new Thread(() -> sleepThen(1_000, node.stopped::countDown));
            stopper.start();
            assertFalse(rows.next(), "a wait for rows is no silence of the network");
            stopper.join();
            SQLException late = assertThrows(SQLException.class, () -> statement.execute("stuck"));
            assertEquals("08006", late.getSQLState());
        } finally {
            node.stuck.countDown();
        }
    }

    private static void sleepThen(long ms, Runnable work) {
        try {
            Thread.sleep(ms);
            work.run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** It reads a row every 100 ms of a thousand that it has; the server forgets after 400. */
    @Test
    void aSlowReaderIsServed() throws Exception {
        disconnect();
        start(Duration.ofMillis(400));
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("endless")) {
            for (long n = 0; n < 15; n++) {
                assertTrue(rows.next());
                assertEquals(n, rows.getLong(1));
                Thread.sleep(100);
            }
            for (long n = 15; n < 3_000; n++) {
                assertTrue(rows.next());
                assertEquals(n, rows.getLong(1));
            }
        }
    }

    /** A prepared statement that was not used for so long that the server has forgotten it. */
    @Test
    void aPreparedStatementLives() throws Exception {
        disconnect();
        start(Duration.ofMillis(200));
        try (PreparedStatement prepared = connection.prepareStatement("count 2")) {
            for (int i = 0; i < 2; i++) {
                try (ResultSet rows = prepared.executeQuery()) {
                    assertTrue(rows.next());
                }
                Thread.sleep(800);
            }
        }
    }

    @Test
    void fetchesAndResultsAreAsLargeAsIsSaid() throws Exception {
        try (Statement statement = connection.createStatement()) {
            statement.setFetchSize(3);
            try (ResultSet rows = statement.executeQuery("endless")) {
                assertTrue(rows.next());
                assertEquals(3, rows.getFetchSize());
                rows.setFetchSize(5_000);
                assertEquals(1_000, rows.getFetchSize());
            }
            awaitNoneRunning(); // a result that is closed ends at the server
        }
        try (PreparedStatement prepared = connection.prepareStatement("endless")) {
            prepared.setMaxRows(4);
            int count = 0;
            for (ResultSet rows = prepared.executeQuery(); rows.next(); ) {
                count++;
            }
            assertEquals(4, count);
            awaitNoneRunning();
        }
    }

    @Test
    void timesAreTimes() throws Exception {
        Instant moment = Instant.parse("2026-11-20T23:40:01.000000005Z");
        Calendar tokyo = Calendar.getInstance(TimeZone.getTimeZone("Asia/Tokyo"), Locale.ROOT);
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("count 1")) {
            assertTrue(rows.next());
            assertEquals(Timestamp.from(moment), rows.getTimestamp(2));
            assertEquals(Timestamp.from(moment), rows.getTimestamp("ts"));
            assertEquals(Timestamp.from(moment), rows.getTimestamp(2, tokyo));
            assertEquals(5, rows.getTimestamp("ts", tokyo).getNanos());
            assertEquals(
                    Instant.parse("2026-11-20T15:00:00Z"),
                    Instant.ofEpochMilli(rows.getDate("ts", tokyo).getTime()));
            assertEquals(
                    Instant.parse("1969-12-31T23:40:01Z"),
                    Instant.ofEpochMilli(rows.getTime(2, tokyo).getTime()).plusSeconds(0));
            assertNotNull(rows.getDate(2));
            assertNotNull(rows.getTime("ts"));
            assertEquals(moment, rows.getObject(2, Instant.class));
            assertEquals(Timestamp.from(moment), rows.getObject(2, Timestamp.class));
            assertEquals(moment.toString(), rows.getObject(2, OffsetDateTime.class).toString());
            assertEquals(
                    LocalDateTime.parse("2026-11-20T23:40:01.000000005"),
                    rows.getObject("ts", LocalDateTime.class));
            assertEquals(LocalDate.of(2026, 11, 20), rows.getObject(2, LocalDate.class));
            assertEquals(23, rows.getObject(2, LocalTime.class).getHour());
            assertEquals("2026-11-20T23:40:01.000000005Z", rows.getObject(2));
            SQLException text = assertThrows(SQLException.class, () -> rows.getTimestamp(3));
            assertEquals("22018", text.getSQLState());
            SQLException none = assertThrows(SQLException.class, () -> rows.getTimestamp(9));
            assertEquals("07009", none.getSQLState());
            assertEquals(
                    "42703",
                    assertThrows(SQLException.class, () -> rows.getInt("nope")).getSQLState());
        }
    }

    @Test
    void eachKindOfErrorHasItsState() throws Exception {
        try (Statement statement = connection.createStatement()) {
            assertState("42601", () -> statement.execute("nonsense"));
            assertState("XX000", () -> statement.execute("bug"));
            assertState("0A000", () -> connection.prepareCall("show"));
            assertState("0A000", () -> statement.execute("show", Statement.RETURN_GENERATED_KEYS));
            assertState("0100E", () -> statement.executeUpdate("show"));
            assertState("07005", () -> statement.executeQuery("change"));
            assertState("58030", () -> drain(statement.executeQuery("fail")));
        }
        Statement closed = connection.createStatement();
        closed.close();
        assertState("HY010", () -> closed.execute("show"));
        Connection gone = DriverManager.getConnection(server.url());
        gone.close();
        assertState("08003", gone::createStatement);
        assertFalse(gone.isValid(1));
        assertTrue(connection.isValid(1));
        Connection left = DriverManager.getConnection(server.url());
        Statement lost = left.createStatement();
        server.close();
        assertState("08006", () -> lost.execute("show"));
        assertFalse(left.isValid(1));
        assertState("08001", () -> DriverManager.getConnection(server.url()));
    }

    private static void drain(ResultSet rows) throws SQLException {
        boolean more = rows.next();
        while (more) {
            more = rows.next();
        }
    }

    private interface Call {
        void run() throws Exception;
    }

    private static void assertState(String state, Call call) {
        SQLException error = assertThrows(SQLException.class, call::run);
        assertEquals(state, error.getSQLState(), error.toString());
        assertNotNull(error.getMessage());
    }

    @Test
    void batchesTakeChangesOnly() throws Exception {
        try (Statement statement = connection.createStatement()) {
            statement.addBatch("change");
            statement.addBatch("change");
            assertArrayEquals(new int[] {0, 0}, statement.executeBatch());
            assertArrayEquals(new int[0], statement.executeBatch());
            statement.addBatch("change");
            statement.addBatch("count 1");
            BatchUpdateException error =
                    assertThrows(BatchUpdateException.class, statement::executeBatch);
            assertEquals("0A000", error.getSQLState());
            assertArrayEquals(new int[] {0}, error.getUpdateCounts());
            assertEquals(3, node.changes.get());
        }
        try (PreparedStatement prepared = connection.prepareStatement("change")) {
            prepared.addBatch();
            prepared.addBatch();
            assertArrayEquals(new int[] {0, 0}, prepared.executeBatch());
            assertEquals(5, node.changes.get());
            assertEquals(0, prepared.executeUpdate());
        }
        try (PreparedStatement prepared = connection.prepareStatement("count 1")) {
            prepared.addBatch();
            assertThrows(BatchUpdateException.class, prepared::executeBatch);
            assertState("0100E", prepared::executeUpdate);
        }
        assertEquals(0, server.runningQueries());
    }

    @Test
    void whatIsReadOnlyChangesNothing() throws Exception {
        assertFalse(connection.isReadOnly());
        assertFalse(connection.getMetaData().isReadOnly());
        connection.setReadOnly(true);
        assertTrue(connection.isReadOnly());
        try (Statement statement = connection.createStatement()) {
            assertState("25006", () -> statement.execute("change"));
            assertTrue(statement.execute("show"));
            assertEquals(0, node.changes.get());
            connection.setReadOnly(false);
            assertFalse(statement.execute("change"));
            assertEquals(1, node.changes.get());
        }
    }

    /** What the client holds belongs together. */
    @Test
    void objectsKnowEachOther() throws Exception {
        try (Statement statement = connection.createStatement()) {
            assertSame(connection, statement.getConnection());
            ResultSet rows = statement.executeQuery("show");
            assertSame(statement, rows.getStatement());
            assertSame(connection, connection.unwrap(Connection.class));
            assertEquals(connection, connection.getMetaData().getConnection());
            assertTrue(Set.of(connection).contains(connection));
        }
    }

    /** Each fact is there, and no method of it fails for want of being written. */
    @Test
    void everyFactIsThere() throws Exception {
        DatabaseMetaData facts = connection.getMetaData();
        List<String> failing = new ArrayList<>();
        for (Method method : DatabaseMetaData.class.getMethods()) {
            Class<?> type = method.getReturnType();
            boolean plain = type == boolean.class || type == int.class || type == String.class;
            if (!plain || method.getDeclaringClass() != DatabaseMetaData.class) {
                continue;
            }
            try {
                method.invoke(facts, JdbcSettersTest.arguments(method, 1));
            } catch (InvocationTargetException e) {
                failing.add(method.getName() + ": " + e.getCause());
            }
        }
        assertEquals(List.of(), failing);
        assertFalse(facts.supportsTransactions() || facts.supportsOuterJoins());
        assertEquals("anybody", facts.getUserName());
    }
}
