package io.weir.cluster.metrics;

import java.util.concurrent.atomic.AtomicLong;

/** Counts how often something was done, with its total and longest time. Any thread. */
public final class Timing {
    private static final double NS_A_SECOND = 1e9;

    private final AtomicLong times = new AtomicLong();
    private final AtomicLong ns = new AtomicLong();
    private final AtomicLong longestNs = new AtomicLong();

    /**
     * Counts one more.
     *
     * @param tookNs how long it took
     */
    public void add(long tookNs) {
        times.incrementAndGet();
        ns.addAndGet(tookNs);
        longestNs.accumulateAndGet(tookNs, Math::max);
    }

    /**
     * Reports {@code NAME_total}, {@code NAME_seconds_total} and {@code NAME_longest_seconds}.
     *
     * @param name of the counted work, in the plural
     * @param what the same for people
     */
    public void read(Readings out, String name, String what, String... labels) {
        out.counter(name, what, times.get(), labels);
        out.counter(name + "_seconds", what + ": time of all", ns.get() / NS_A_SECOND, labels);
        out.gauge(
                name + "_longest_seconds",
                what + ": the longest",
                longestNs.get() / NS_A_SECOND,
                labels);
    }
}
