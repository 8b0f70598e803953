package io.weir.operators.time;

/** Measures how long something takes, by the machine's clock. One thread. */
public final class Stopwatch {
    private static final long NS_PER_MS = 1_000_000;

    private long sinceNs = Clock.SYSTEM.nanos();

    private Stopwatch() {}

    public static Stopwatch started() {
        return new Stopwatch();
    }

    /** Begins again. */
    public void restart() {
        sinceNs = Clock.SYSTEM.nanos();
    }

    public long ns() {
        return Clock.SYSTEM.nanos() - sinceNs;
    }

    public long ms() {
        return ns() / NS_PER_MS;
    }
}
