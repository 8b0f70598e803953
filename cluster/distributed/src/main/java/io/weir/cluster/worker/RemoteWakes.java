package io.weir.cluster.worker;

import io.weir.cluster.protocol.PartialSender;
import io.weir.cluster.trigger.Triggers;
import io.weir.operators.error.WeirException;
import io.weir.operators.node.LocalEngine;
import io.weir.operators.when.Binding;
import io.weir.operators.when.WhenState;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongConsumer;

/**
 * Wakes queries here whose conditions are met elsewhere. A trigger may come before its query is
 * attached, since kernels take time. The state of each query is kept for that. If the engine does
 * not have a query, the merge is told that its activation lacks this worker. Thread-safe.
 */
final class RemoteWakes implements Triggers {
    private final LocalEngine engine;
    private final PartialSender partials;
    private final LongConsumer settled;
    private final Map<String, Known> known = new HashMap<>();

    /** The versions of queries that only wake by this. */
    private final Map<String, Long> attached = new HashMap<>();

    private record Known(long version, WhenState state) {
        WhenState.Change latest() {
            return state.last(Binding.NONE).orElseThrow();
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
    public synchronized void changed(String query, long version, WhenState.Change change) {
        if (!change.binding().equals(Binding.NONE)) {
            return; // of a later release: no query has values here
        }
        Known of = known.get(query);
        if (of == null || of.version() != version) {
            of = new Known(version, WhenState.latest());
            known.put(query, of);
        }
        of.state().report(change);
        if (isAttached(query, version)) {
            report(query, change);
        }
        lacks(query, of);
    }

    @Override
    public void settled(long settledNs) {
        settled.accept(settledNs);
    }

    /** Notes that the query is in the engine, and sleeps, unless it was woken before. */
    synchronized void attached(String query, long version) {
        attached.put(query, version);
        Known of = known.get(query);
        if (of != null && of.version() == version) {
            report(query, of.latest());
        }
    }

    /** Notes that the engine could not take the query, and that the merge was told so. */
    synchronized void refused(String query) {
        Known of = known.get(query);
        if (of != null) {
            lacks(query, of);
        }
    }

    /** Does nothing if the engine has the query. */
    private void lacks(String query, Known of) {
        long version = of.version();
        WhenState.Change woken = of.latest();
        engine.beforeResults(() -> partials.woken(query, version, woken.fromNs(), woken.untilNs()));
    }

    /** Notes that the query is gone, or wakes by itself. */
    synchronized void detached(String query) {
        attached.remove(query);
    }

    private void report(String query, WhenState.Change change) {
        try {
            engine.report(query, change);
        } catch (WeirException gone) {
            return; // the engine has ended it, and has reported why
        }
    }

    private boolean isAttached(String query, long version) {
        Long here = attached.get(query);
        return here != null && here == version;
    }
}
