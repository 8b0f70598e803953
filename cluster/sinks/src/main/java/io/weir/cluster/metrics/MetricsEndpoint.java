package io.weir.cluster.metrics;

import java.net.InetSocketAddress;

/** Serves a process' own metrics to Prometheus, at {@code /metrics}. */
public final class MetricsEndpoint implements AutoCloseable {
    private final OwnMetrics own = new OwnMetrics();
    private final MetricsServer server;

    /**
     * Answers from now on.
     *
     * @param role of the process: {@code worker}, {@code server}, …
     */
    public MetricsEndpoint(InetSocketAddress address, String role) {
        own.add(out -> out.gauge("weir_role", "1, of what this process is", 1, "role", role));
        server = new MetricsServer(address, own::scrape);
        server.start();
    }

    /** Adds a part from now on. */
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
