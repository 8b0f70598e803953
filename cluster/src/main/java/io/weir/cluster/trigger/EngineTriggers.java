package io.weir.cluster.trigger;

import io.weir.operators.error.WeirException;
import io.weir.operators.node.LocalEngine;
import io.weir.operators.node.Settlement;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** Triggers into an engine, and what a finite input waits for. Any thread. */
public final class EngineTriggers implements Triggers, Settlement {
    private static final long PAUSE_NS = 100_000;

    private final LocalEngine engine;
    private final Map<String, Long> settled = new ConcurrentHashMap<>();
    private final AtomicLong unknown = new AtomicLong();
    private volatile boolean stopped;

    public EngineTriggers(LocalEngine engine) {
        this.engine = engine;
    }

    @Override
    public void wake(String query, long version, long fromNs, long untilNs) {
        tell(() -> engine.wake(query, fromNs, untilNs));
    }

    @Override
    public void until(String query, long version, long fromNs, long untilNs) {
        tell(() -> engine.until(query, fromNs, untilNs));
    }

    /** A query that does not run here is none of this worker's. */
    private void tell(Runnable call) {
        try {
            call.run();
        } catch (WeirException notHere) {
            unknown.incrementAndGet();
        }
    }

    @Override
    public void settled(String query, long version, long settledNs) {
        settled.merge(query, settledNs, Math::max);
    }

    /** Triggers of queries that do not run here. */
    public long unknown() {
        return unknown.get();
    }

    @Override
    public long settledNs(String query) {
        return settled.getOrDefault(query, Long.MIN_VALUE);
    }

    @Override
    public void pause() {
        if (stopped) {
            throw new IllegalStateException("stopped while conditions had to settle");
        }
        LockSupport.parkNanos(PAUSE_NS);
    }

    /** Whoever waits gives up. */
    public void stop() {
        stopped = true;
    }
}
