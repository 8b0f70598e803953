package io.weir.cluster.worker;

import io.weir.cluster.kafka.catalog.Definition;
import io.weir.cluster.trigger.HeldWake;
import io.weir.operators.node.LocalEngine;
import io.weir.operators.rows.RowBatch;
import io.weir.operators.trigger.Trigger;
import io.weir.operators.trigger.TriggerListener;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Tests the rows made here for queries that run elsewhere. It sends their triggers once the outbox
 * has them. One thread at a time; the results' thread sends.
 */
final class ConditionWatches {
    private final LocalEngine engine;
    private final FiredTriggers told;
    private final Conditions conditions;

    /** The queries whose rows have been tested in this turn of the results. */
    private final Set<Telling> tested = new LinkedHashSet<>();

    /**
     * The versions whose conditions count now. An older version's are still tested, without effect.
     */
    private final Map<String, Watch> watches = new ConcurrentHashMap<>();

    /**
     * @param version of the query that waits
     * @param generation of the upstream: a dropped one is no longer tested
     */
    private record Watch(long version, long generation) {}

    /**
     * @param engine before it is started; later listeners to passed time run after this
     * @param conditions their state from the last process, and of this one
     */
    ConditionWatches(LocalEngine engine, FiredTriggers told, Conditions conditions) {
        this.conditions = conditions;
        this.engine = engine;
        this.told = told;
        engine.addPassListener(this::tell);
    }

    private void tell(long passedNs) {
        conditions.passed(passedNs);
        tested.forEach(telling -> telling.wake.tell());
        tested.clear();
        told.tell();
    }

    /** Tests rows of a query that runs here for a query that runs elsewhere. */
    void watch(Definition waiting, long generation) {
        Watch watch = new Watch(waiting.version(), generation);
        if (!watch.equals(watches.put(waiting.name(), watch))) {
            watch(waiting, new Telling(waiting.name(), watch));
        }
    }

    private void watch(Definition waiting, Telling telling) {
        Trigger trigger = engine.watch(waiting.query().when().orElseThrow(), telling);
        conditions.watched(
                waiting,
                active ->
                        engine.beforeResults(
                                () -> {
                                    telling.from = active.fromNs();
                                    trigger.resume(true, active.untilNs());
                                }));
    }

    /** Removes all queries but these. */
    void retain(Set<String> names) {
        watches.keySet().retainAll(names);
        conditions.retainWatched(names);
    }

    private final class Telling implements TriggerListener {
        private final String name;
        private final Watch watch;
        private final HeldWake wake;
        private long from;

        Telling(String name, Watch watch) {
            this.name = name;
            this.watch = watch;
            wake = new HeldWake(told, name, watch.version());
        }

        @Override
        public void woken(long fromNs, long untilNs, RowBatch batch, int row) {
            from = fromNs;
            if (counts()) {
                told.fired();
                conditions.firedElsewhere(name, fromNs, untilNs);
                wake.woken(fromNs, untilNs);
                tested.add(this);
            }
        }

        @Override
        public void until(long untilNs) {
            if (counts()) {
                told.fired();
                conditions.firedElsewhere(name, from, untilNs);
                wake.until(from, untilNs);
            }
        }

        private boolean counts() {
            return watch.equals(watches.get(name));
        }
    }
}
