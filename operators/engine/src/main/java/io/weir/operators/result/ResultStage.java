package io.weir.operators.result;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.LongPredicate;

/**
 * Merges and emits the windows of all queries, as a plain state machine. It takes windows as
 * pipelines close them, and the time that all pipelines have passed. It emits each window that is
 * complete. One thread at a time.
 *
 * <p>Windows are emitted by the time at which they are due, then in the order of queries (a reader
 * after its upstream). The order in which they came does not matter. So rows and conditions do not
 * depend on the number of pipelines or on when they report.
 */
public final class ResultStage implements AutoCloseable {
    private final List<ResultQuery> queries = new ArrayList<>();
    private final BiConsumer<ResultQuery, RowlessWindow> onUnmade;
    private LongPredicate testedElsewhere = untilNs -> true;
    private long settledNs = Long.MIN_VALUE;
    private boolean held;
    private boolean awaitsElsewhere;

    /** Conditions over rows of several queries. */
    private final List<BooleanSupplier> joint = new ArrayList<>();

    /** The time of the windows that were emitted last. */
    private long emittingNs = Long.MIN_VALUE;

    /** True if this pass has emitted a window. */
    private boolean emittedAny;

    /** The results of the latest look: the time of the next due window, and the limit for all. */
    private long dueNs;

    private long heldNs;

    /** Makes a stage in which a query without memory for its rows ends everything. */
    public ResultStage() {
        this(
                (query, unmade) -> {
                    throw unmade.why();
                });
    }

    /**
     * @param onUnmade is told of a query for whose rows there is no memory; it may {@link #remove}
     *     it
     */
    public ResultStage(BiConsumer<ResultQuery, RowlessWindow> onUnmade) {
        this.onUnmade = onUnmade;
    }

    /**
     * Sets a test for rows that are made in other processes and move the ends of gates. States end
     * at a gate's end only when the test returns true. Then all rows that act by that time have
     * been tested, and all moves are known here.
     */
    public void awaitElsewhere(LongPredicate tested) {
        testedElsewhere = tested;
    }

    /**
     * Adds a condition over rows of several queries. It is called when all rows of one time have
     * come.
     *
     * @param test tests them; returns whether there were any
     */
    public void addJoint(BooleanSupplier test) {
        joint.add(test);
    }

    public void removeJoint(BooleanSupplier test) {
        joint.remove(test);
    }

    /** Adds a query after all that it reads or waits for. */
    public void add(ResultQuery query) {
        queries.add(query);
    }

    /**
     * Puts a query in the place of another. The old one emits its open windows and is then removed.
     * Readers of the old query's rows read the new one's.
     */
    public void replace(ResultQuery old, ResultQuery query) {
        queries.add(queries.indexOf(old) + 1, query);
        old.replacedBy(query);
    }

    /** Retires a query without a successor. It emits its open windows and is then removed. */
    public void retire(ResultQuery old) {
        old.retired();
    }

    /**
     * Does the same as {@link #replace}, but the old query stays until it is removed: its windows
     * can still be on their way.
     */
    public void succeed(ResultQuery old, ResultQuery query) {
        queries.add(queries.indexOf(old) + 1, query);
        old.succeededBy(query);
    }

    /** Removes a query and all its activations at once. Waiting rows are not emitted. */
    public void remove(ResultQuery query) {
        queries.remove(query);
        query.activations().forEach(Activation::close);
        query.activations().clear();
    }

    /** Takes over a window that a pipeline has closed. */
    public void accept(ClosedWindow window) {
        window.merger().add(window.part());
    }

    /**
     * Returns the time by which all due windows were emitted, and all queries that they woke are
     * awake.
     */
    public long settledNs() {
        return settledNs;
    }

    /**
     * Returns whether the latest pass has stopped at the end of a gate, because states must end
     * first.
     */
    public boolean isHeld() {
        return held;
    }

    /** Returns whether a state there waits for rows in other processes. */
    public boolean awaitsElsewhere() {
        return awaitsElsewhere;
    }

    /**
     * Emits the windows that are due by a time that all pipelines have passed. All their parts must
     * have been added. It stops at the end of a gate whose states have not ended. No row can move
     * that end any more, so the states are told to end, and their windows come next.
     *
     * @param watermarkNs {@link Long#MAX_VALUE} when all pipelines have ended
     */
    public void pass(long watermarkNs) {
        pass(watermarkNs, () -> false);
    }

    /**
     * Does the same, but may stop early for threads that wait to add or drop a query. It stops
     * between two windows, though not before the first, as if pipelines had not come further.
     *
     * @param awaited whether a thread waits
     * @return up to which time it has passed
     */
    public long pass(long watermarkNs, BooleanSupplier awaited) {
        emittedAny = false;
        addEmpty(watermarkNs);
        boolean more = true;
        boolean stopped = false;
        long toNs = watermarkNs;
        while (more) {
            look();
            if (dueNs > emittingNs && testJoint()) {
                look();
            }
            toNs = watermarkNs == Long.MAX_VALUE ? watermarkNs : Math.min(watermarkNs, heldNs);
            boolean due = dueNs <= toNs && isAnyWaiting();
            boolean advanced = advanceReadersBefore(Math.min(dueNs, toNs));
            stopped = !advanced && due && !emit(awaited);
            more = !stopped && (advanced || due || advanceReaders(toNs) || testJoint());
        }
        long passedNs = stopped ? dueNs - 1 : watermarkNs;
        toNs = Math.min(toNs, passedNs);
        endActivations(toNs);
        tellRenewed();
        settledNs = Math.max(settledNs, toNs);
        held = toNs < passedNs;
        awaitsElsewhere = held && !endStates(toNs);
        return passedNs;
    }

    private void addEmpty(long watermarkNs) {
        for (int q = 0; q < queries.size(); q++) {
            List<Activation> activations = queries.get(q).activations();
            for (int a = 0; a < activations.size(); a++) {
                activations.get(a).addEmpty(watermarkNs);
            }
        }
    }

    /** Tests rows of several queries. Queries that they wake can have due windows. */
    private boolean testJoint() {
        boolean any = false;
        for (int j = 0; j < joint.size(); j++) {
            any |= joint.get(j).getAsBoolean();
        }
        return any;
    }

    private boolean advanceReadersBefore(long timeNs) {
        return timeNs > Long.MIN_VALUE && advanceReaders(timeNs - 1);
    }

    /** Emits the windows that are due at {@link #dueNs}. Returns whether these were all. */
    private boolean emit(BooleanSupplier awaited) {
        emittingNs = dueNs;
        for (int q = 0; q < queries.size(); q++) {
            ResultQuery query = queries.get(q);
            for (int a = 0; a < query.activations().size(); a++) {
                Activation activation = query.activations().get(a);
                // At the end of time, a reader may still get rows of other queries' totals.
                if (activation.readsRows() && dueNs < Long.MAX_VALUE) {
                    activation.advanceRows(query.inputNs(dueNs));
                }
                while (activation.isWaiting() && activation.dueNs() <= dueNs) {
                    if (emittedAny && dueNs < Long.MAX_VALUE && awaited.getAsBoolean()) {
                        return false;
                    }
                    emittedAny = true;
                    query.emit(activation).ifPresent(unmade -> onUnmade.accept(query, unmade));
                }
            }
        }
        return true;
    }

    /** Advances queries over rows, up to the first that then has a window to emit. */
    private boolean advanceReaders(long timeNs) {
        for (int q = 0; q < queries.size(); q++) {
            ResultQuery query = queries.get(q);
            List<Activation> activations = query.activations();
            for (int a = 0; a < activations.size(); a++) {
                Activation activation = activations.get(a);
                if (activation.readsRows() && activation.advanceRows(query.inputNs(timeNs))) {
                    return true;
                }
            }
        }
        return false;
    }

    private void tellRenewed() {
        for (int q = 0; q < queries.size(); q++) {
            queries.get(q).tellRenewed();
        }
    }

    private void look() {
        dueNs = Long.MAX_VALUE;
        heldNs = Long.MAX_VALUE;
        for (int q = 0; q < queries.size(); q++) {
            List<Activation> activations = queries.get(q).activations();
            for (int a = 0; a < activations.size(); a++) {
                dueNs = Math.min(dueNs, activations.get(a).dueNs());
                heldNs = Math.min(heldNs, activations.get(a).holdsAtNs());
            }
        }
    }

    /** Returns whether all states whose gates end were told to end. */
    private boolean endStates(long passedNs) {
        boolean all = true;
        for (int q = 0; q < queries.size(); q++) {
            List<Activation> activations = queries.get(q).activations();
            for (int a = 0; a < activations.size(); a++) {
                if (activations.get(a).holdsAtNs() <= passedNs) {
                    all &= endStates(activations.get(a));
                }
            }
        }
        return all;
    }

    private boolean endStates(Activation activation) {
        boolean ends = testedElsewhere.test(activation.gate().untilNs());
        if (ends) {
            activation.merger().endStates();
        }
        return ends;
    }

    private boolean isAnyWaiting() {
        for (int q = 0; q < queries.size(); q++) {
            List<Activation> activations = queries.get(q).activations();
            for (int a = 0; a < activations.size(); a++) {
                if (activations.get(a).isWaiting()) {
                    return true;
                }
            }
        }
        return false;
    }

    private void endActivations(long passedNs) {
        for (int q = queries.size() - 1; q >= 0; q--) {
            ResultQuery query = queries.get(q);
            List<Activation> activations = query.activations();
            for (int a = activations.size() - 1; a >= 0; a--) {
                if (activations.get(a).isEnded(passedNs)) {
                    query.ended(activations.remove(a))
                            .ifPresent(unmade -> onUnmade.accept(query, unmade));
                }
            }
            if (query.isReplaced() && activations.isEmpty()) {
                queries.remove(q);
            }
        }
    }

    /** Ends all queries. Waiting rows are not emitted. */
    @Override
    public void close() {
        while (!queries.isEmpty()) {
            remove(queries.get(queries.size() - 1));
        }
    }
}
