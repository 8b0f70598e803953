package io.weir.operators.time;

import java.time.Duration;

/** The end of a wait. A clock that is set does not move it. Any thread. */
public final class Deadline {
    private static final long NS_PER_MS = 1_000_000;

    private final Clock clock;
    private final long atNs;

    private Deadline(Clock clock, long atNs) {
        this.clock = clock;
        this.atNs = atNs;
    }

    /** Returns the end of a wait of this length that begins now. */
    public static Deadline after(Duration length, Clock clock) {
        return new Deadline(clock, clock.nanos() + length.toNanos());
    }

    /** Returns the end of a wait of this length that begins now, by the machine's clock. */
    public static Deadline afterMs(long lengthMs) {
        return after(Duration.ofMillis(lengthMs), Clock.SYSTEM);
    }

    public boolean isOver() {
        return leftNs() <= 0;
    }

    /** Returns the time that is left, rounded up; 0 if none is. */
    public long leftMs() {
        return (Math.max(0, leftNs()) + NS_PER_MS - 1) / NS_PER_MS;
    }

    /** Returns the time that is left; below 0 if it is over. */
    public long leftNs() {
        return atNs - clock.nanos();
    }
}
