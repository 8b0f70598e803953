package io.weir.operators.when;

import io.weir.operators.graph.Correlation;
import io.weir.operators.graph.When;
import io.weir.operators.graph.WindowEnds;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.kernel.RowCondition;
import io.weir.operators.kernel.RowPredicate;
import io.weir.operators.rows.RowBatch;
import io.weir.operators.rows.RowLayout;
import io.weir.operators.rows.RowSink;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Tests the rows of an upstream for one query with WHEN condition [UNTIL condition | FOR interval].
 * It sees each emitted row once, in order, and moves the query's {@link WhenState}.
 *
 * <p>A row of a window that ends at E acts at E + delay. If rows are known later than their windows
 * end, it acts that much after they are known. While the query sleeps, a row that meets the
 * condition wakes it from then on. While it is awake, a row that meets UNTIL ends it as of then. A
 * row that meets the condition renews FOR. If FOR had run out by then, the row wakes the query
 * again. FOR ends at the latest of all renewals. A row is tested for one thing only: a row that
 * wakes does not end, and a row that ends does not wake.
 */
public final class WhenTester implements RowSink {
    private final Conditions conditions;
    private final long delayNs;
    private final WhenState state;
    private final Listener listener;

    /** Is told each change. The thread that tests the rows. */
    @FunctionalInterface
    public interface Listener {
        /**
         * Is told that the query wakes, or that its activation's end has moved.
         *
         * @param row of the batch: the one that made the change
         */
        void changed(WhenState.Change change, RowBatch batch, int row);

        /** Is told that a row would have begun a binding, and the set is full. */
        default void refused(RowBatch batch, int row) {}

        /** Is told that the latest rows of a key are forgotten, for want of room. */
        default void forgot() {}
    }

    /**
     * The conditions of a query, compiled for the rows of its upstream.
     *
     * @param rows the layout of the rows that are tested
     * @param until null without UNTIL
     * @param forNs 0 without FOR
     * @param key the columns whose values are the binding
     * @param values the columns whose values the query shows
     * @param idleNs after which a binding ends if no row has its key; 0: it stays
     */
    public record Conditions(
            RowLayout rows,
            RowPredicate condition,
            RowPredicate until,
            long forNs,
            List<Integer> key,
            List<Integer> values,
            long idleNs) {
        /** The conditions of a query whose bindings stay. */
        public Conditions(
                RowPredicate condition, RowPredicate until, long forNs, List<Integer> key) {
            this(new RowLayout(List.of()), condition, until, forNs, key, List.of(), 0);
        }

        /**
         * Compiles the conditions.
         *
         * @param upstreams in the order of {@link When#upstreams}
         */
        public static Conditions of(When when, List<CompiledQuery> upstreams) {
            RowLayout rows = JointColumns.of(when, upstreams);
            return new Conditions(
                    rows,
                    new RowCondition(when.condition(), rows),
                    when.until().map(until -> new RowCondition(until, rows)).orElse(null),
                    when.forNs().orElse(0L),
                    when.correlation().map(c -> key(c, rows)).orElse(List.of()),
                    when.correlation().map(c -> values(c, rows)).orElse(List.of()),
                    when.correlation().map(Correlation::idleNs).orElse(0L));
        }

        private static List<Integer> values(Correlation correlation, RowLayout rows) {
            return correlation.values().stream()
                    .map(column -> rows.indexOf(column.name()))
                    .toList();
        }

        private static List<Integer> key(Correlation correlation, RowLayout rows) {
            return correlation.equations().stream()
                    .map(equation -> rows.indexOf(equation.column().name()))
                    .toList();
        }
    }

    /**
     * @param delayNs lateness and the cache's time-out: the time until no packet of before E can
     *     come
     * @param state the caller's, from now on moved by this
     */
    public WhenTester(Conditions conditions, long delayNs, WhenState state, Listener listener) {
        this.conditions = conditions;
        this.delayNs = delayNs;
        this.state = state;
        this.listener = listener;
    }

    @Override
    public void rows(RowBatch batch) {
        if (batch.windowEndNs() == Long.MAX_VALUE) {
            return; // These are the last totals: no packet can follow them.
        }
        for (int row = 0; row < batch.rows(); row++) {
            row(batch, row, true);
        }
    }

    /**
     * Tests one row.
     *
     * @param ofKey whether it is a row of its key, and not of an upstream without keys
     */
    void row(RowBatch batch, int row, boolean ofKey) {
        long actsAtNs = WindowEnds.plus(batch.knownNs(), delayNs);
        Optional<Binding> binding = Binding.of(batch, row, conditions.key());
        if (binding.isPresent()) {
            Optional<WhenState.Change> change = test(batch, row, binding.get(), actsAtNs, ofKey);
            if (change.isPresent()) {
                listener.changed(change.get(), batch, row);
            }
        }
    }

    /** Notes that the latest rows of a key are forgotten. */
    void forgot() {
        listener.forgot();
    }

    /** Returns the layout of the rows that it tests. */
    RowLayout layout() {
        return conditions.rows();
    }

    private Optional<WhenState.Change> test(
            RowBatch batch, int row, Binding binding, long actsAtNs, boolean ofKey) {
        long forNs = conditions.forNs();
        if (!state.isAwake(binding, actsAtNs)) {
            long lastsNs = forNs > 0 ? forNs : conditions.idleNs();
            long untilNs = lastsNs > 0 ? WindowEnds.plus(actsAtNs, lastsNs) : Long.MAX_VALUE;
            return conditions.condition().test(batch, row)
                    ? wake(batch, row, binding, actsAtNs, untilNs)
                    : Optional.empty();
        } else if (conditions.until() != null && conditions.until().test(batch, row)) {
            return state.end(binding, actsAtNs);
        } else if (conditions.idleNs() > 0) {
            return !ofKey
                    ? Optional.empty()
                    : state.renew(binding, WindowEnds.plus(actsAtNs, conditions.idleNs()));
        }
        return forNs > 0 && conditions.condition().test(batch, row)
                ? state.renew(binding, WindowEnds.plus(actsAtNs, forNs))
                : Optional.empty();
    }

    private Optional<WhenState.Change> wake(
            RowBatch batch, int row, Binding binding, long fromNs, long untilNs) {
        Optional<WhenState.Change> woken = state.wake(binding, fromNs, untilNs, values(batch, row));
        if (woken.isEmpty()) {
            listener.refused(batch, row);
        }
        return woken;
    }

    private List<Object> values(RowBatch batch, int row) {
        List<Object> values = new ArrayList<>();
        conditions.values().forEach(column -> values.add(batch.value(row, column)));
        return values;
    }

    /** Returns whether no row can change anything any more: the query is awake for good. */
    public boolean isSettled() {
        return conditions.until() == null
                && conditions.forNs() == 0
                && conditions.key().isEmpty()
                && state.isAwake(Binding.NONE);
    }
}
