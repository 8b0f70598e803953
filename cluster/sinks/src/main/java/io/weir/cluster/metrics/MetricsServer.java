package io.weir.cluster.metrics;

import io.weir.cluster.http.HttpHead;
import io.weir.cluster.http.HttpLimits;
import io.weir.cluster.http.HttpListener;
import io.weir.cluster.http.HttpStep.Answer;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.time.Clock;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Serves the process's metrics at {@code /metrics}, and the queries' series at {@code
 * /metrics/queries}. So each can have its own scrape interval. Plain HTTP, GET only. A client that
 * hangs does not block others ({@link HttpListener}). It shows nothing else of the process.
 */
final class MetricsServer implements AutoCloseable {
    private static final String PLAIN = "text/plain; charset=utf-8";
    private static final String TEXT = "text/plain; version=0.0.4; charset=utf-8";
    private static final String OPEN_METRICS =
            "application/openmetrics-text; version=1.0.0; charset=utf-8";

    private static final HttpLimits LIMITS = HttpLimits.DEFAULT.withConnections(64);

    private final HttpListener server;
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
            server =
                    new HttpListener(
                            "metrics",
                            address,
                            LIMITS,
                            Optional.empty(),
                            Optional.empty(),
                            this::answer,
                            Clock.SYSTEM);
        } catch (IOException e) {
            String place = address.getHostString() + ":" + address.getPort();
            throw new WeirException(
                    ErrorCode.INVALID_OPTION,
                    "metrics cannot be served at " + place + ": " + e.getMessage(),
                    "a port that is free is wanted; 0 is any");
        }
    }

    void start() {
        server.start();
    }

    int port() {
        return server.address().getPort();
    }

    private Answer answer(HttpHead head) {
        if (!head.method().equals("GET")) {
            return Answer.of(405, PLAIN, "GET only\n");
        } else if (head.path().equals("/metrics")) {
            return page(head, own);
        } else if (head.path().equals("/metrics/queries") && queries.isPresent()) {
            return page(head, queries.get());
        }
        String there = queries.isPresent() ? "/metrics and /metrics/queries" : "/metrics";
        return Answer.of(404, PLAIN, there + "\n");
    }

    private static Answer page(HttpHead head, UnaryOperator<String> metrics) {
        boolean isOpen = head.header("accept").orElse("").contains("application/openmetrics-text");
        String type = isOpen ? OPEN_METRICS : TEXT;
        return Answer.of(200, type, metrics.apply(type));
    }

    @Override
    public void close() {
        server.close();
    }
}
