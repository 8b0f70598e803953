package io.weir.operators.time;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that a test sets. Time stands until it is passed. Any thread may read and pass it. */
public final class ManualClock implements Clock {
    private static final long NS_PER_MS = 1_000_000;

    private final Instant begin;
    private final AtomicLong passedNs = new AtomicLong();

    /** It begins at a time of day that no test should depend on. */
    public ManualClock() {
        this(Instant.parse("2026-02-03T04:05:06.789Z"));
    }

    public ManualClock(Instant begin) {
        this.begin = begin;
    }

    /** Lets time pass. It never goes back. */
    public void pass(Duration time) {
        if (time.isNegative()) {
            throw new IllegalArgumentException("time does not go back: " + time);
        }
        passedNs.addAndGet(time.toNanos());
    }

    /** It begins near the end of its range, so that comparing without subtracting fails. */
    @Override
    public long nanos() {
        return Long.MAX_VALUE - NS_PER_MS + passedNs.get();
    }

    @Override
    public long millis() {
        return begin.toEpochMilli() + passedNs.get() / NS_PER_MS;
    }

    @Override
    public Instant instant() {
        return begin.plusNanos(passedNs.get());
    }
}
