package io.weir.cluster.worker;

import io.weir.operators.graph.Window;
import io.weir.operators.graph.WindowEnds;
import io.weir.operators.node.LocalEngine;
import io.weir.operators.ring.SourceThrottle;
import io.weir.operators.time.Stopwatch;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds the packets of a finite input until the merge has settled conditions, as an engine does for
 * its own. A process that is ahead waits for those that are behind. {@link SourceThrottle} is for
 * the reader's thread, the rest for any.
 */
public final class SettledThrottle implements SourceThrottle {
    private static final Logger LOG = LoggerFactory.getLogger(SettledThrottle.class);
    private static final long NAP_NS = 1_000_000;
    private static final long LONG_NS = 10_000_000_000L;

    private final LocalEngine engine;
    private final long delayNs;
    private final BooleanSupplier stopped;
    private volatile List<Window> awaited = List.of();
    private volatile long passedNs = Long.MIN_VALUE;
    private volatile long settledNs = Long.MIN_VALUE;
    private long reachedNs = Long.MIN_VALUE;
    private boolean noted;

    /**
     * @param engine before it is started
     * @param delayNs from the end of a window until no packet of before it can come
     * @param stopped whether the input is to end: then nothing is waited for
     */
    public SettledThrottle(LocalEngine engine, long delayNs, BooleanSupplier stopped) {
        this.engine = engine;
        this.delayNs = delayNs;
        this.stopped = stopped;
        engine.addPassListener(watermarkNs -> passedNs = watermarkNs);
        engine.awaitElsewhere(untilNs -> stopped.getAsBoolean() || isTested(untilNs));
    }

    /**
     * Sets the windows at whose ends queries may wake. Packets are held there, from the next end
     * on.
     */
    public void hold(List<Window> windows) {
        awaited = List.copyOf(windows);
    }

    /**
     * Notes that all windows of the merge that end by then are finished, and their wakes have
     * happened.
     */
    public void settled(long timeNs) {
        settledNs = Math.max(settledNs, timeNs);
    }

    @Override
    public long holdAtNs() {
        List<Window> windows = awaited;
        long least = Long.MAX_VALUE;
        for (int w = 0; w < windows.size(); w++) {
            least = Math.min(least, WindowEnds.after(windows.get(w), reachedNs));
        }
        return WindowEnds.plus(least, delayNs);
    }

    /**
     * Settles up to an end of an activation that rows elsewhere may move. The reader then calls
     * again.
     */
    @Override
    public void settle() {
        engine.throttle().settle();
        long toNs = passedNs;
        Stopwatch waited = Stopwatch.started();
        while (!isSettled(toNs) && !stopped.getAsBoolean()) {
            LockSupport.parkNanos(NAP_NS);
            if (!noted && waited.ns() > LONG_NS) {
                noted = true;
                LOG.warn(
                        "packets have waited 10 s for conditions to settle: for the other slices,"
                                + " and the merge of a server");
            }
        }
        if (isSettled(toNs)) {
            reachedNs = toNs;
        }
    }

    /** Returns whether all rows that act by then have been tested. */
    private boolean isTested(long timeNs) {
        return isSettled(timeNs - delayNs);
    }

    private boolean isSettled(long timeNs) {
        for (Window window : awaited) {
            if (settledNs < WindowEnds.last(window, timeNs)) {
                return false;
            }
        }
        return true;
    }
}
