package io.weir.operators.time;

import java.time.Instant;
import java.time.InstantSource;

/**
 * Tells the time: of the day, and nanoseconds that only go forward. Time-outs, retries and patience
 * count in nanoseconds, so that a clock that is set does not touch them. Only {@link #SYSTEM} reads
 * the machine's clock. Tests have a clock that they set.
 *
 * <p>A process loads one implementation, so the JIT makes a call of it a plain read.
 */
public interface Clock extends InstantSource {
    /** The clock of this machine. */
    Clock SYSTEM = new SystemClock();

    /** Nanoseconds since a fixed but arbitrary moment; only differences mean something. */
    long nanos();

    /** Milliseconds since 1970. */
    @Override
    long millis();

    @Override
    Instant instant();

    /** The clock of this machine. No other class may read it. */
    final class SystemClock implements Clock {
        private SystemClock() {}

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
}
