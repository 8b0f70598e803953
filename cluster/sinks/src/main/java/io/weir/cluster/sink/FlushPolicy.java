package io.weir.cluster.sink;

import io.weir.operators.time.Clock;

/**
 * Decides when buffered rows are passed on: at the end of a batch, but only every few milliseconds.
 * So many small windows do not cause many writes. Delayed rows go out with a later batch or at the
 * close.
 */
final class FlushPolicy {
    private static final long PERIOD_NS = 20_000_000;

    private final TextOut out;
    private final Clock clock;
    private long lastNs;

    FlushPolicy(TextOut out, Clock clock) {
        this.out = out;
        this.clock = clock;
        this.lastNs = clock.nanos() - PERIOD_NS;
    }

    void afterBatch() {
        long now = clock.nanos();
        if (now - lastNs >= PERIOD_NS) {
            out.flush();
            lastNs = now;
        }
    }
}
