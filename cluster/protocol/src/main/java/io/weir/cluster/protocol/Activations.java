package io.weir.cluster.protocol;

import io.weir.cluster.protocol.wire.PartialReader;
import io.weir.operators.error.WeirException;
import io.weir.operators.kernel.StateOptions;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.result.ResultStage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The activations of a stage's queries that have not ended, from the first window of each. Reports
 * about a source go to all of them. The merge's thread.
 */
final class Activations implements AutoCloseable {
    private final NativeAllocator allocator;
    private final MergedQueries queries;
    private final StateOptions state;
    private final MergeCounts counts;
    private final Map<ActivationId, ActivationMerger> mergings = new LinkedHashMap<>();
    private MergeJournal journal = MergeJournal.NONE;

    Activations(
            NativeAllocator allocator,
            MergedQueries queries,
            StateOptions state,
            MergeCounts counts) {
        this.allocator = allocator;
        this.queries = queries;
        this.state = state;
        this.counts = counts;
    }

    /** Sets the journal from now on. */
    void keepIn(MergeJournal keeper) {
        journal = keeper;
        mergings.values().forEach(merging -> merging.keepIn(keeper));
    }

    /** Writes the changes to the journal. */
    void journal() {
        mergings.values().forEach(ActivationMerger::journal);
    }

    /** Returns null, and counts it, for an unknown query. */
    private ActivationMerger of(ActivationId id) {
        ActivationMerger known = mergings.get(id);
        if (known != null) {
            return known;
        }
        MergedQuery query = queries.find(id.query(), id.version());
        if (query == null) {
            counts.unknown().incrementAndGet();
            return null;
        }
        ActivationMerger merging =
                new ActivationMerger(query, id, state, allocator, counts, journal);
        mergings.put(id, merging);
        return merging;
    }

    /** Does nothing if its query is unknown. */
    private void with(ActivationId id, Consumer<ActivationMerger> what) {
        ActivationMerger merging = of(id);
        if (merging != null) {
            what.accept(merging);
        }
    }

    void block(MergeMessage.Block block) {
        ActivationMerger merging = of(block.activation());
        if (merging != null && read(block, merging)) {
            journal.waits(block);
        }
    }

    /**
     * Returns whether the window is not final. The end of a late window says how much was in it.
     */
    private boolean read(MergeMessage.Block block, ActivationMerger merging) {
        Contribution window = merging.window(block, block.endNs());
        if (window == null || window.window() != null || window.isUnread()) {
            return window != null && window.window() == null;
        }
        try (PartialReader reader = new PartialReader(merging.query().form, allocator)) {
            reader.read(block.bytes(), window.partial());
            window.block();
            merging.query().check(window.partial());
        } catch (WeirException unreadable) {
            window.unread(merging.newPartial());
            counts.unread(unreadable);
        }
        return true;
    }

    /**
     * @param whole whether all of the source's process has come
     * @param isExpected whether anybody waits for the source
     */
    void end(MergeMessage.WindowEnd end, boolean whole, boolean isExpected) {
        tellReplaced(end);
        with(
                end.activation(),
                merging -> {
                    merging.end(end, whole);
                    if (!isExpected) {
                        // A killed process has left it. Nobody waits for its next window either.
                        merging.left(end.source().worker(), end.window().endNs());
                    }
                });
    }

    private void tellReplaced(MergeMessage.WindowEnd end) {
        String query = end.activation().query();
        if (queries.isOlder(query, end.activation().version())) {
            counts.replaced(query, end.window().processed());
        }
    }

    /** An activation without windows has no end to correct. */
    void renewed(String worker, List<MergeMessage.Renewed> renewed) {
        for (MergeMessage.Renewed one : renewed) {
            ActivationMerger known = mergings.get(one.activation());
            if (known != null) {
                known.until(worker, one.untilNs());
            }
        }
    }

    void ended(MergeMessage.Ended ended) {
        with(
                ended.activation(),
                merging -> merging.ended(ended.source().worker(), ended.untilNs()));
    }

    /** Notes that totals of the query are read as a table from now on. */
    void keepTable(MergedQuery query) {
        query.keepsTable = true;
        mergings.values().stream()
                .filter(m -> m.query() == query)
                .forEach(ActivationMerger::keepTable);
    }

    /** Notes that a process that sends windows begins. */
    void begins() {
        queries.begins(journal);
        mergings.values().forEach(ActivationMerger::begins);
    }

    /** Notes that a source's process is over, and how far it had come. */
    void cut(WorkerEpoch source, long passedNs) {
        queries.cut(source.worker(), passedNs, journal);
        mergings.values().forEach(merging -> merging.cut(source, passedNs));
    }

    /** Notes that a source that had come so far is gone, or that some of its later messages are. */
    void left(String worker, long passedNs) {
        mergings.values().forEach(merging -> merging.left(worker, passedNs));
    }

    /** Returns whether there is a window that is not final. */
    boolean isWaiting() {
        return mergings.values().stream().anyMatch(ActivationMerger::isWaiting);
    }

    /**
     * Makes rows of the due windows, as {@link ActivationMerger#hand}; for activations that end by
     * then, the last ones.
     */
    void pass(
            ResultStage stage,
            long watermarkNs,
            long passedNs,
            Set<String> awaited,
            AbsentWorkers absent) {
        for (ActivationMerger merging : mergings.values()) {
            merging.hand(stage, watermarkNs, passedNs, absent);
        }
        List<ActivationMerger> over = new ArrayList<>();
        for (ActivationMerger merging : mergings.values()) {
            if (merging.isEnded(awaited, watermarkNs)) {
                merging.finish();
                over.add(merging);
            }
        }
        stage.pass(watermarkNs);
        for (ActivationMerger merging : over) {
            mergings.remove(merging.id());
            merging.over();
        }
    }

    /**
     * Drops a query and its waiting windows.
     *
     * @param replaced whether those are lost, because another version exists
     */
    void drop(MergedQuery query, boolean replaced) {
        query.finals.drop(journal);
        for (ActivationMerger merging : List.copyOf(mergings.values())) {
            if (merging.query() == query) {
                mergings.remove(merging.id());
                journal.forgotten(merging.id());
                merging.drop(replaced);
            }
        }
    }

    /** Restores an activation's stored mark, before anything else of it. */
    void restore(ActivationId id, MergeJournal.ActivationMark mark) {
        with(id, merging -> merging.restore(mark));
    }

    /** Restores the mark of an activation that has ended. */
    void restore(ActivationId id, MergeJournal.EndedMark mark) {
        MergedQuery query = queries.find(id.query(), id.version());
        if (query != null) {
            query.finals.restore(id, mark);
        }
    }

    /**
     * Handles a record of an activation that cannot be read.
     *
     * @param passedNs the time that had passed by then
     */
    void restore(ActivationId id, UnreadableRecord unread, long passedNs) {
        with(id, merging -> merging.restore(unread, passedNs));
    }

    /** Restores a block of totals, in the stored order. */
    void restoreTotal(ActivationId id, long endNs, byte[] block) {
        with(id, merging -> merging.restoreTotal(endNs, block));
    }

    /** Restores a message of a waiting window, in order per source. */
    void restore(MergeMessage message) {
        if (message instanceof MergeMessage.Block block) {
            with(block.activation(), merging -> read(block, merging));
        } else if (message instanceof MergeMessage.WindowEnd end) {
            tellReplaced(end);
            with(end.activation(), merging -> merging.restore(end));
        }
    }

    /** Windows that have not become rows are dropped. */
    @Override
    public void close() {
        mergings.values().forEach(ActivationMerger::close);
        mergings.clear();
    }
}
