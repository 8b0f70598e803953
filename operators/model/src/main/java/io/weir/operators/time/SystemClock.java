package io.weir.operators.time;

import java.time.Instant;

/** The clock of this machine. No other class may read it. */
final class SystemClock implements Clock {
    @Override
    public long nanos() {
        return System.nanoTime();
    }

    @Override
    public long millis() {
        return System.currentTimeMillis();
    }

    @Override
    public Instant instant() {
        return Instant.now();
    }
}
