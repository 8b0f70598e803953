package io.weir.operators.result;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.LongPredicate;

/**
 * Merge and post of all queries, as a plain state machine: it is given windows as pipelines close
 * them and the time that all pipelines have passed, and emits each window that is complete. One
 * thread at a time.
 *
 * <p>Windows are emitted by the time at which they are due, then in the order of queries (readers
 * after what they read), whatever the order in which they came: so rows, and what conditions see,
 * do not depend on how many pipelines there are or when they report.
 */
public final class ResultStage implements AutoCloseable {
    private final List<ResultQuery> queries = new ArrayList<>();
    private final BiConsumer<ResultQuery, Unmade> onUnmade;
    private LongPredicate testedElsewhere = untilNs -> true;
    private long settledNs = Long.MIN_VALUE;
    private boolean held;
    private boolean awaitsElsewhere;

    /** Whether this pass has emitted a window. */
    private boolean emittedAny;

    /** As of the latest look: when the next window is due, and up to when all may pass. */
    private long dueNs;

    private long heldNs;

    /** Of which one query without memory for its rows ends all. */
    public ResultStage() {
        this(
                (query, unmade) -> {
                    throw unmade.why();
                });
    }

    /**
     * @param onUnmade told of a query for whose rows there is no memory; it may {@link #remove} it
     */
    public ResultStage(BiConsumer<ResultQuery, Unmade> onUnmade) {
        this.onUnmade = onUnmade;
    }

    /**
     * Where rows that move the ends of gates are made elsewhere: states end once this says of the
     * gate's end that all have been tested that act by then, and any that moved it was heard of.
     */
    public void awaitElsewhere(LongPredicate tested) {
        testedElsewhere = tested;
    }

    /** A query after all that it reads or waits for. */
    public void add(ResultQuery query) {
        queries.add(query);
    }

    /**
     * A query in the place of another, which emits what it still has to, and is then forgotten. Who
     * read the other's rows reads its successor's.
     */
    public void replace(ResultQuery old, ResultQuery query) {
        queries.add(queries.indexOf(old) + 1, query);
        old.replacedBy(query);
    }

    /** One without a successor: emits what it still has to, and is then forgotten. */
    public void retire(ResultQuery old) {
        old.retired();
    }

    /**
     * As {@link #replace}, of one that stays until it is removed: windows of it can still be on
     * their way.
     */
    public void succeed(ResultQuery old, ResultQuery query) {
        queries.add(queries.indexOf(old) + 1, query);
        old.succeededBy(query);
    }

    /** A query and all its activations, at once; rows that wait are not emitted. */
    public void remove(ResultQuery query) {
        queries.remove(query);
        query.activations().forEach(Activation::close);
        query.activations().clear();
    }

    /** Takes over a window that a pipeline has closed. */
    public void accept(ClosedWindow window) {
        window.gathering().add(window);
    }

    /** All that was due by then was emitted, and what it woke is awake. */
    public long settledNs() {
        return settledNs;
    }

    /** Whether the latest pass has stopped at the end of a gate, for states that are to end. */
    public boolean isHeld() {
        return held;
    }

    /** Whether there a state has to wait for rows elsewhere. */
    public boolean awaitsElsewhere() {
        return awaitsElsewhere;
    }

    /**
     * Emits what is due by a time that all pipelines have passed, and whose windows were all added.
     * Stops where a gate ends whose states have not: no row can move that end any more, so they are
     * told to end, and what they have is due before all that is later.
     *
     * @param watermarkNs {@link Long#MAX_VALUE} when all pipelines have ended
     */
    public void pass(long watermarkNs) {
        pass(watermarkNs, () -> false);
    }

    /**
     * The same, but as if pipelines had not come further, when others wait to change what queries
     * there are: it stops between two windows, though not before the first.
     *
     * @param awaited whether they do
     * @return up to which time it has passed
     */
    public long pass(long watermarkNs, BooleanSupplier awaited) {
        emittedAny = false;
        boolean more = true;
        boolean stopped = false;
        long toNs = watermarkNs;
        while (more) {
            look();
            toNs = watermarkNs == Long.MAX_VALUE ? watermarkNs : Math.min(watermarkNs, heldNs);
            boolean due = dueNs <= toNs && isAnyWaiting();
            boolean advanced = advanceReadersBefore(Math.min(dueNs, toNs));
            stopped = !advanced && due && !emit(awaited);
            more = !stopped && (advanced || due || advanceReaders(toNs));
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

    private boolean advanceReadersBefore(long timeNs) {
        return timeNs > Long.MIN_VALUE && advanceReaders(timeNs - 1);
    }

    /** Emits what is due at {@link #dueNs}; returns whether that is all of it. */
    private boolean emit(BooleanSupplier awaited) {
        for (int q = 0; q < queries.size(); q++) {
            ResultQuery query = queries.get(q);
            for (int a = 0; a < query.activations().size(); a++) {
                Activation activation = query.activations().get(a);
                // At the end of time, a reader may still be about to get rows of others' totals.
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

    /** Advances queries over rows, up to the first that thereby has something to emit. */
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

    /** Returns whether all were told to end whose gates do. */
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
            activation.gathering().endStates();
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

    /** Ends all queries; rows that wait are not emitted. */
    @Override
    public void close() {
        while (!queries.isEmpty()) {
            remove(queries.get(queries.size() - 1));
        }
    }
}
