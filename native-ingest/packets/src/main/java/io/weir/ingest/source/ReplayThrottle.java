package io.weir.ingest.source;

import io.weir.operators.ring.SourceThrottle;
import io.weir.operators.time.Clock;
import java.util.concurrent.locks.LockSupport;

/**
 * Lets packets pass when their time has come: event time runs as fast as the clock, times a factor.
 * No packet passes before {@link #begin}. The reader's thread.
 */
public final class ReplayThrottle implements SourceThrottle {
    private static final long NAP_NS = 1_000_000;

    /** The step of time; each step may cost every ring a block. */
    private static final long STEP_NS = 10_000_000;

    private final double speed;
    private final Clock clock;
    private boolean begun;
    private long firstNs;
    private long startedNs;

    /**
     * @param speed seconds of event time that pass in one
     * @param clock that never goes back
     */
    public ReplayThrottle(double speed, Clock clock) {
        this.speed = speed;
        this.clock = clock;
    }

    /**
     * Begins to let packets pass.
     *
     * @param firstEventNs event time that has come at {@code atNs}
     * @param atNs by the clock: now, or earlier if it must catch up
     */
    public void begin(long firstEventNs, long atNs) {
        firstNs = firstEventNs;
        startedNs = atNs;
        begun = true;
    }

    /** Begins now. */
    void begin(long firstEventNs) {
        begin(firstEventNs, clock.nanos());
    }

    @Override
    public long holdAtNs() {
        return begun ? firstNs + (long) ((clock.nanos() - startedNs) * speed) : Long.MIN_VALUE;
    }

    /** A window must not be over for others before its time, although this replay knows its end. */
    @Override
    public long comeNs() {
        long nowNs = holdAtNs();
        return begun ? nowNs - Math.floorMod(nowNs, STEP_NS) : nowNs;
    }

    @Override
    public void settle() {
        LockSupport.parkNanos(NAP_NS);
    }
}
