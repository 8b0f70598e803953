package io.weir.cluster.metrics;

/** A part of the process that can be measured: asked at each scrape. Any thread. */
@FunctionalInterface
public interface Meter {
    /** Says how things are now; soon, for Prometheus waits. */
    void read(Readings out);
}
