package io.weir.cluster.metrics;

import java.net.InetSocketAddress;

/** A process' own metrics for Prometheus to come and get, at {@code /metrics}. */
public final class MetricsEndpoint implements AutoCloseable {
    private final OwnMetrics own = new OwnMetrics();
    private final MetricsServer server;

    /**
     * Answers from now on.
     *
     * @param role what the process is: {@code worker}, {@code server}, …
     */
    public MetricsEndpoint(InetSocketAddress address, String role) {
        own.add(out -> out.gauge("weir_role", "1, of what this process is", 1, "role", role));
        server = new MetricsServer(address, own::scrape);
        server.start();
    }

    /** A part that is asked from now on. */
    public void add(Meter meter) {
        own.add(meter);
    }

    public int port() {
        return server.port();
    }

    @Override
    public void close() {
        server.close();
        own.close();
    }
}
