package io.weir.cluster.worker;

import io.weir.cluster.protocol.PartialSender;
import io.weir.cluster.trigger.Triggers;
import io.weir.operators.error.WeirException;
import io.weir.operators.node.LocalEngine;
import io.weir.operators.when.Waking;
import io.weir.operators.when.WhenState;
import java.util.HashMap;
import java.util.List;
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

    /** The activations of a version, and its latest interval. */
    private static final class Known {
        final long version;
        final WhenState state = new WhenState(Integer.MAX_VALUE, 0);
        long fromNs = Long.MIN_VALUE;
        long untilNs = Long.MIN_VALUE;

        Known(long version) {
            this.version = version;
        }

        void report(WhenState.Change told) {
            state.report(told);
            long itsNs = intervalNs(told);
            if (itsNs > fromNs) {
                fromNs = itsNs;
                untilNs = told.untilNs();
            } else if (itsNs == fromNs && told.waking().isPresent()) {
                untilNs = Math.max(untilNs, told.untilNs());
            } else if (itsNs == fromNs) {
                untilNs = state.last(told.binding()).orElseThrow().untilNs();
            }
            if (told.waking().isPresent()) {
                state.forgetOver(told.fromNs());
            }
        }

        /** Returns the activations of the latest interval, in the order in which they began. */
        List<WhenState.Change> latest() {
            return state.latestOfEach().stream().filter(one -> intervalNs(one) == fromNs).toList();
        }

        private static long intervalNs(WhenState.Change one) {
            return one.waking().map(Waking::intervalNs).orElse(one.fromNs());
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
        Known of = known.get(query);
        if (of == null || of.version != version) {
            of = new Known(version);
            known.put(query, of);
        }
        of.report(change);
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
        if (of != null && of.version == version) {
            of.latest().forEach(change -> report(query, change));
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
        long fromNs = of.fromNs;
        long untilNs = of.untilNs;
        engine.beforeResults(() -> partials.woken(query, of.version, fromNs, untilNs));
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
