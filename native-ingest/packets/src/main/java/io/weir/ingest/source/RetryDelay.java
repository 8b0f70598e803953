package io.weir.ingest.source;

import java.util.function.DoubleSupplier;

/**
 * The pauses between two tries to open a source: twice as long each time, from 250 ms to 30 s. Each
 * is cut by chance, by up to a half, so that many sources do not try at once. One thread.
 */
final class RetryDelay {
    static final long LEAST_NS = 250_000_000L;
    static final long MOST_NS = 30_000_000_000L;

    private final DoubleSupplier chance;
    private long nextNs = LEAST_NS;

    /**
     * @param chance from 0 to 1
     */
    RetryDelay(DoubleSupplier chance) {
        this.chance = chance;
    }

    /** Returns how long to wait before the next try. */
    long nextNs() {
        long fullNs = nextNs;
        nextNs = Math.min(2 * fullNs, MOST_NS);
        return fullNs - (long) (fullNs / 2 * chance.getAsDouble());
    }

    /** Begins anew: the source has run for a while. */
    void reset() {
        nextNs = LEAST_NS;
    }
}
