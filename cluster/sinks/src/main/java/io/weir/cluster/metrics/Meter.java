package io.weir.cluster.metrics;

/** A part of the process that can be measured at each scrape. Any thread. */
@FunctionalInterface
public interface Meter {
    /** Reports the present values quickly, because Prometheus waits. */
    void read(Readings out);
}
