package io.weir.cluster.metrics;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.UnaryOperator;

/**
 * What Prometheus scrapes: {@code /metrics}, the process's own, and {@code /metrics/queries}, the
 * queries' series, so that each can be scraped as often as it deserves. Plain HTTP, GET only, a few
 * threads of its own: who asks and does not go on holds one up, at most for as long as the JVM's
 * {@code sun.net.httpserver.maxReqTime}. Nothing else is told of the process.
 */
final class MetricsServer implements AutoCloseable {
    private static final String PLAIN = "text/plain; charset=utf-8";
    private static final String TEXT = "text/plain; version=0.0.4; charset=utf-8";
    private static final String OPEN_METRICS =
            "application/openmetrics-text; version=1.0.0; charset=utf-8";

    private static final int THREADS = 4;

    private final HttpServer server;
    private final ExecutorService threads =
            Executors.newFixedThreadPool(
                    THREADS,
                    work -> {
                        Thread made = new Thread(work, "metrics");
                        made.setDaemon(true);
                        return made;
                    });
    private final UnaryOperator<String> own;
    private final Optional<UnaryOperator<String>> queries;

    /**
     * Without queries' series.
     *
     * @param own the process's metrics, in the format of a content type
     */
    MetricsServer(InetSocketAddress address, UnaryOperator<String> own) {
        this(address, own, Optional.empty());
    }

    /**
     * Listens; scrapes are answered from {@link #start} on.
     *
     * @param own the process's metrics, in the format of a content type
     * @param queries the queries', in the same way
     */
    MetricsServer(
            InetSocketAddress address, UnaryOperator<String> own, UnaryOperator<String> queries) {
        this(address, own, Optional.of(queries));
    }

    private MetricsServer(
            InetSocketAddress address,
            UnaryOperator<String> own,
            Optional<UnaryOperator<String>> queries) {
        this.own = own;
        this.queries = queries;
        try {
            server = HttpServer.create(address, 0);
        } catch (IOException e) {
            throw new WeirException(
                    ErrorCode.INVALID_OPTION,
                    "metrics cannot be served at " + address + ": " + e.getMessage(),
                    "a port that is free is wanted; 0 is any");
        }
        server.setExecutor(threads);
        server.createContext("/", this::handle);
    }

    void start() {
        server.start();
    }

    int port() {
        return server.getAddress().getPort();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().getPath();
            if (!exchange.getRequestMethod().equals("GET")) {
                answer(exchange, 405, PLAIN, "GET only\n");
            } else if (path.equals("/metrics")) {
                answer(exchange, own);
            } else if (path.equals("/metrics/queries") && queries.isPresent()) {
                answer(exchange, queries.get());
            } else {
                String there = queries.isPresent() ? "/metrics and /metrics/queries" : "/metrics";
                answer(exchange, 404, PLAIN, there + "\n");
            }
        }
    }

    private static void answer(HttpExchange exchange, UnaryOperator<String> metrics)
            throws IOException {
        String accepted = exchange.getRequestHeaders().getFirst("Accept");
        boolean isOpen = accepted != null && accepted.contains("application/openmetrics-text");
        String type = isOpen ? OPEN_METRICS : TEXT;
        answer(exchange, 200, type, metrics.apply(type));
    }

    private static void answer(HttpExchange exchange, int code, String type, String text)
            throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.sendResponseHeaders(code, body.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(body);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
