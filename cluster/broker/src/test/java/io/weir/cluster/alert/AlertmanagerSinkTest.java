package io.weir.cluster.alert;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.weir.cluster.broker.EmbeddedBroker;
import io.weir.cluster.sink.Batches;
import io.weir.operators.account.Account;
import io.weir.operators.graph.Inet;
import io.weir.operators.graph.Query;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.rows.RowBatch;
import io.weir.sql.SqlFrontend;
import io.weir.sql.catalog.MapCatalog;
import io.weir.testing.Await;
import io.weir.testing.LogLines;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AlertmanagerSinkTest {
    private static final long SECOND = 1_000_000_000L;
    private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
    private static final Query DDOS = ddos();

    @TempDir private Path directory;

    private final NativeAllocator allocator = new NativeAllocator(1 << 20);
    private final Account account = new Account();
    private final LogLines log = LogLines.of(AlertmanagerSink.class);
    private final List<String> notes = log.texts();
    private final List<String> bodies = Collections.synchronizedList(new ArrayList<>());
    private final Deque<Integer> codes = new ArrayDeque<>();
    private HttpServer server;

    @AfterEach
    void everyRowIsAccountedFor() {
        log.close();
        if (server != null) {
            server.stop(0);
        }
        allocator.close();
        assertTrue(account.isBalanced(), account.snapshot().toString());
    }

    private static Query ddos() {
        String sql =
                "SELECT dst_addr, COUNT(*) AS packets, window_end FROM packets"
                        + " GROUP BY dst_addr, TUMBLE(ts, INTERVAL '1' SECOND)";
        Query query = new SqlFrontend(new MapCatalog()).parseQuery(sql, Map.of()).query();
        return new Query("ddos", query.root(), query.when(), "SELECT \"x\"", query.budget());
    }

    private int serve() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/api/v2/alerts", this::take);
        server.start();
        return server.getAddress().getPort();
    }

    private void take(HttpExchange exchange) throws IOException {
        try (exchange) {
            bodies.add(
                    new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            Integer code = codes.poll();
            exchange.sendResponseHeaders(code == null ? 200 : code, -1);
        }
    }

    private AlertmanagerSink sink(int port, int queue, InstantSource clock) {
        return new AlertmanagerSink(
                URI.create("http://127.0.0.1:" + port),
                Duration.ofMinutes(5),
                Map.of("severity", "page"),
                queue,
                clock,
                account.stage("rows"));
    }

    private void rows(AlertmanagerSink sink, Instant end, int... hosts) {
        Object[][] rows = new Object[hosts.length][];
        long endNs = end.getEpochSecond() * SECOND;
        for (int r = 0; r < hosts.length; r++) {
            rows[r] = new Object[] {Inet.v4(0x0A000000 + hosts[r]), 7L, endNs};
        }
        try (RowBatch batch = Batches.of(DDOS, endNs - SECOND, endNs, allocator, rows)) {
            sink.rows(batch);
        }
    }

    private long lost(String reason) {
        return account.snapshot().get(0).lost().getOrDefault(reason, 0L);
    }

    @Test
    void aRowIsAnAlert() throws Exception {
        try (AlertmanagerSink sink = sink(serve(), 10, () -> NOW)) {
            rows(sink, NOW.minusSeconds(60), 1);
        }
        assertEquals(
                List.of(
                        "[{\"labels\":{\"alertname\":\"ddos\",\"severity\":\"page\","
                                + "\"dst_addr\":\"10.0.0.1\"},\"annotations\":{"
                                + "\"query\":\"SELECT \\\"x\\\"\",\"packets\":\"7\","
                                + "\"window_end\":\"2026-11-21T11:59:00.000000000Z\","
                                + "\"summary\":\"ddos 10.0.0.1\"},"
                                + "\"startsAt\":\"2026-11-21T11:58:59Z\","
                                + "\"endsAt\":\"2026-11-21T12:05:00Z\"}]"),
                bodies);
        assertEquals(1, account.snapshot().get(0).processed());
    }

    @Test
    void anOverloadedServerIsAskedAgainAndARefusalIsLost() throws Exception {
        codes.addAll(List.of(503, 429, 200, 400));
        try (AlertmanagerSink sink = sink(serve(), 10, () -> NOW)) {
            rows(sink, NOW, 1);
            Await.until(() -> bodies.size() >= 3);
            rows(sink, NOW, 2);
        }
        assertEquals(4, bodies.size());
        assertEquals(bodies.get(0), bodies.get(2));
        assertEquals(1, account.snapshot().get(0).processed());
        assertEquals(1, lost("refused"));
        assertEquals(2, notes.size(), notes.toString());
    }

    @Test
    void nobodyAnswersAndTheQueueIsBounded() throws Exception {
        AlertmanagerSink sink = sink(EmbeddedBroker.freePort(), 5, () -> NOW);
        for (int host = 0; host < 100; host++) {
            rows(sink, NOW, host);
        }
        Await.until(() -> !notes.isEmpty()); // the first attempt is over
        Thread.currentThread().interrupt();
        sink.close();
        assertTrue(Thread.interrupted());
        assertTrue(lost("queue_full") >= 85, account.snapshot().toString());
        assertEquals(100, lost("queue_full") + lost("unreachable"));
        assertTrue(notes.get(0).contains("cannot be reached"), notes.toString());
    }

    @Test
    void aRealOneTakesThem() throws Exception {
        Path program = Path.of("/usr/bin/prometheus-alertmanager");
        assumeTrue(
                Files.isExecutable(program),
                "no Alertmanager: apt-get install prometheus-alertmanager");
        int port = EmbeddedBroker.freePort();
        Path config = directory.resolve("alertmanager.yml");
        Files.writeString(config, "route: {receiver: none}\nreceivers: [{name: none}]\n");
        Process alertmanager =
                new ProcessBuilder(
                                program.toString(),
                                "--config.file=" + config,
                                "--storage.path=" + directory.resolve("data"),
                                "--cluster.listen-address=",
                                "--web.listen-address=127.0.0.1:" + port)
                        .redirectErrorStream(true)
                        .redirectOutput(directory.resolve("log").toFile())
                        .start();
        try (AlertmanagerSink sink = sink(port, 100, InstantSource.system())) {
            // It may not be up yet: the sink tries again.
            rows(sink, Instant.now(), 1, 2);
            String page = "http://127.0.0.1:" + port + "/api/v2/alerts";
            Await.until(() -> get(page).contains("10.0.0.2"), () -> get(page));
            String alerts = get(page);
            assertTrue(alerts.contains("\"dst_addr\":\"10.0.0.1\""), alerts);
            assertTrue(alerts.contains("\"severity\":\"page\""), alerts);
            assertTrue(alerts.contains("\"state\":\"active\""), alerts);
        } finally {
            alertmanager.destroy();
            alertmanager.waitFor();
        }
        assertEquals(2, account.snapshot().get(0).processed());
    }

    private static String get(String url) throws InterruptedException {
        try {
            HttpRequest request = HttpRequest.newBuilder(URI.create(url)).build();
            return HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
        } catch (IOException notYet) {
            return "";
        }
    }
}
