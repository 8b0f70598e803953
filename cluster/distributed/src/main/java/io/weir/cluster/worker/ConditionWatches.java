package io.weir.cluster.worker;

import io.weir.cluster.kafka.catalog.Definition;
import io.weir.cluster.trigger.TriggerMessage;
import io.weir.operators.node.LocalEngine;
import io.weir.operators.rows.RowBatch;
import io.weir.operators.time.Clock;
import io.weir.operators.when.WhenState;
import io.weir.operators.when.WhenTester;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Tests the rows made here for queries that run elsewhere. It sends the triggers that the rows of a
 * turn have fired. They go first into the outbox, with the rows: the next process sends them if
 * this one does not. Then they are sent at once, which takes milliseconds. A reader ignores the
 * second copy. One thread at a time; the results' thread sends.
 */
final class ConditionWatches {
    /** The most activations of a query in one turn; earlier ones are not sent. */
    private static final int MOST_IN_A_TURN = 1_024;

    private final LocalEngine engine;
    private final Clock clock;
    private final String by;
    private final FiredRows rows;
    private final Conditions conditions;
    private final Consumer<TriggerMessage> atOnce;

    /** The queries whose states have changed in this turn of the results. */
    private final Set<Watching> changed = new LinkedHashSet<>();

    /**
     * The versions whose conditions count now. An older version's are still tested, without effect.
     */
    private final Map<String, Watch> watches = new ConcurrentHashMap<>();

    /**
     * @param version of the query that waits
     * @param generations of the upstreams: a dropped one is no longer tested
     */
    private record Watch(long version, List<Long> generations) {}

    /**
     * @param engine before it is started; later listeners to passed time run after this
     * @param clock when a change is made
     * @param by the sender, for people
     * @param conditions their state from the last process, and of this one
     * @param atOnce sends to others
     */
    ConditionWatches(
            LocalEngine engine,
            Clock clock,
            String by,
            FiredRows rows,
            Conditions conditions,
            Consumer<TriggerMessage> atOnce) {
        this.engine = engine;
        this.clock = clock;
        this.by = by;
        this.rows = rows;
        this.conditions = conditions;
        this.atOnce = atOnce;
        engine.addPassListener(this::tell);
    }

    private void tell(long passedNs) {
        conditions.passed(passedNs);
        List<TriggerMessage> messages = new ArrayList<>();
        changed.forEach(watching -> messages.addAll(watching.messages()));
        changed.clear();
        messages.forEach(rows::add);
        rows.end();
        messages.forEach(atOnce);
    }

    /** Tests rows of a query that runs here for a query that runs elsewhere. */
    void watch(Definition waiting, List<Long> generations) {
        Watch watch = new Watch(waiting.version(), generations);
        if (!watch.equals(watches.put(waiting.name(), watch))) {
            WhenState state = Conditions.state(waiting.query(), MOST_IN_A_TURN);
            watch(waiting, new Watching(waiting.name(), watch, state));
        }
    }

    private void watch(Definition waiting, Watching watching) {
        engine.watch(waiting.query().when().orElseThrow(), watching.state, watching);
        conditions.watched(
                waiting, active -> engine.beforeResults(() -> watching.state.resume(active, true)));
    }

    /** Removes all queries but these. */
    void retain(Set<String> names) {
        watches.keySet().retainAll(names);
        conditions.retainWatched(names);
    }

    private final class Watching implements WhenTester.Listener {
        private final String name;
        private final Watch watch;
        private final WhenState state;

        Watching(String name, Watch watch, WhenState state) {
            this.state = state;
            this.name = name;
            this.watch = watch;
        }

        @Override
        public void changed(WhenState.Change change, RowBatch batch, int row) {
            if (watch.equals(watches.get(name))) {
                rows.fired();
                conditions.firedElsewhere(name, change);
                changed.add(this);
            }
        }

        /** Takes the changes of the turn. From then on the outbox has them. */
        List<TriggerMessage> messages() {
            List<WhenState.Change> changes = state.takeChanges();
            changes.forEach(state::release);
            return changes.stream()
                    .map(change -> TriggerMessage.of(clock, by, name, watch.version(), change))
                    .toList();
        }
    }
}
