package io.weir.cluster.worker;

import io.weir.cluster.protocol.PartialSender;
import io.weir.cluster.trigger.Triggers;
import io.weir.operators.error.WeirException;
import io.weir.operators.kernel.ActiveInterval;
import io.weir.operators.node.LocalEngine;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongConsumer;

/**
 * Wakes queries here whose conditions are met elsewhere. A trigger may come before its query is
 * attached, since kernels take time. The latest trigger of each query is kept for that. If the
 * engine does not have a query, the merge is told that its activation lacks this worker.
 * Thread-safe.
 */
final class RemoteWakes implements Triggers {
    private final LocalEngine engine;
    private final PartialSender partials;
    private final LongConsumer settled;
    private final Map<String, Activation> latest = new HashMap<>();

    /** The versions of queries that only wake by this. */
    private final Map<String, Long> attached = new HashMap<>();

    private record Activation(long version, long fromNs, long untilNs) {
        /** An earlier activation of the version is a repetition, or late: there is a later one. */
        Activation with(Activation told) {
            if (told.version != version || told.fromNs > fromNs) {
                return told;
            }
            boolean same = told.fromNs == fromNs;
            long endNs = same ? ActiveInterval.laterEnd(untilNs, told.untilNs) : untilNs;
            return new Activation(version, fromNs, endNs);
        }
    }

    /**
     * @param settled is told the settled time, after the woken queries are awake
     */
    RemoteWakes(LocalEngine engine, PartialSender partials, LongConsumer settled) {
        this.settled = settled;
        this.engine = engine;
        this.partials = partials;
    }

    @Override
    public synchronized void wake(String query, long version, long fromNs, long untilNs) {
        know(query, new Activation(version, fromNs, untilNs));
        if (isAttached(query, version)) {
            tell(() -> engine.wake(query, fromNs, untilNs));
        }
        lacks(query, latest.get(query));
    }

    @Override
    public synchronized void until(String query, long version, long fromNs, long untilNs) {
        know(query, new Activation(version, fromNs, untilNs));
        if (isAttached(query, version)) {
            tell(() -> engine.until(query, fromNs, untilNs));
        }
        lacks(query, latest.get(query));
    }

    private void know(String query, Activation told) {
        latest.merge(query, told, Activation::with);
    }

    @Override
    public void settled(long settledNs) {
        settled.accept(settledNs);
    }

    /** Notes that the query is in the engine, and sleeps, unless it was woken before. */
    synchronized void attached(String query, long version) {
        attached.put(query, version);
        Activation known = latest.get(query);
        if (known != null && known.version() == version) {
            tell(() -> engine.wake(query, known.fromNs(), known.untilNs()));
        }
    }

    /** Notes that the engine could not take the query, and that the merge was told so. */
    synchronized void refused(String query) {
        Activation known = latest.get(query);
        if (known != null) {
            lacks(query, known);
        }
    }

    /** Does nothing if the engine has the query. */
    private void lacks(String query, Activation woken) {
        engine.beforeResults(
                () -> partials.woken(query, woken.version(), woken.fromNs(), woken.untilNs()));
    }

    /** Notes that the query is gone, or wakes by itself. */
    synchronized void detached(String query) {
        attached.remove(query);
    }

    private static void tell(Runnable call) {
        try {
            call.run();
        } catch (WeirException gone) {
            return; // the engine has ended it, and has reported why
        }
    }

    private boolean isAttached(String query, long version) {
        Long here = attached.get(query);
        return here != null && here == version;
    }
}
