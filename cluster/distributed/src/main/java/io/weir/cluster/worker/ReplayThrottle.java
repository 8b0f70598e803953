package io.weir.cluster.worker;

import io.weir.operators.ring.SourceThrottle;
import io.weir.operators.time.Clock;
import java.util.concurrent.locks.LockSupport;

/**
 * Lets packets pass when their time has come: event time runs as fast as the clock, times a factor.
 * The reader's thread.
 */
final class ReplayThrottle implements SourceThrottle {
    private static final long NAP_NS = 1_000_000;

    /** The step of time; each step may cost every ring a block. */
    private static final long STEP_NS = 10_000_000;

    private final double speed;
    private final Clock clock;
    private final long firstNs;
    private final long startedNs;

    /**
     * @param firstNs event time that has come at {@code startedNs}
     * @param startedNs by the clock: now, or earlier if it must catch up
     * @param clock that never goes back
     */
    ReplayThrottle(double speed, long firstNs, long startedNs, Clock clock) {
        this.speed = speed;
        this.firstNs = firstNs;
        this.clock = clock;
        this.startedNs = startedNs;
    }

    @Override
    public long holdAtNs() {
        return firstNs + (long) ((clock.nanos() - startedNs) * speed);
    }

    /** A window must not be over for others before its time, although this replay knows its end. */
    @Override
    public long comeNs() {
        long nowNs = holdAtNs();
        return nowNs - Math.floorMod(nowNs, STEP_NS);
    }

    @Override
    public void settle() {
        LockSupport.parkNanos(NAP_NS);
    }
}
