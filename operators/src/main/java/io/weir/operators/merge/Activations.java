package io.weir.operators.merge;

import io.weir.operators.error.WeirException;
import io.weir.operators.kernel.StateOptions;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.result.ResultStage;
import io.weir.operators.wire.PartialReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The activations of a stage's queries that have not ended, from the first that comes of each: what
 * is told of a source is told to all of them. The merge's thread.
 */
final class Activations implements AutoCloseable {
    private final NativeAllocator allocator;
    private final MergedQueries queries;
    private final StateOptions state;
    private final MergeCounts counts;
    private final Map<ActivationId, Merging> mergings = new LinkedHashMap<>();
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

    /** Who is told what to keep, from now on. */
    void keepIn(MergeJournal keeper) {
        journal = keeper;
        mergings.values().forEach(merging -> merging.keepIn(keeper));
    }

    /** Tells the journal what has changed. */
    void journal() {
        mergings.values().forEach(Merging::journal);
    }

    /** Null, and counted, for a query that is not known. */
    private Merging of(ActivationId id) {
        Merging known = mergings.get(id);
        if (known != null) {
            return known;
        }
        MergedQuery query = queries.find(id.query(), id.version());
        if (query == null) {
            counts.unknown().incrementAndGet();
            return null;
        }
        Merging merging = new Merging(query, id, state, allocator, counts, journal);
        mergings.put(id, merging);
        return merging;
    }

    /** Nothing happens where its query is not known. */
    private void with(ActivationId id, Consumer<Merging> what) {
        Merging merging = of(id);
        if (merging != null) {
            what.accept(merging);
        }
    }

    void block(Parcel.Block block) {
        Merging merging = of(block.activation());
        if (merging != null && read(block, merging)) {
            journal.waits(block);
        }
    }

    /** Whether the window is not final; of one that is late, its end says how much that is. */
    private boolean read(Parcel.Block block, Merging merging) {
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
     * @param whole whether all of the source's life has come
     * @param isExpected whether anybody waits for the source
     */
    void end(Parcel.WindowEnd end, boolean whole, boolean isExpected) {
        tellReplaced(end);
        with(
                end.activation(),
                merging -> {
                    merging.end(end, whole);
                    if (!isExpected) {
                        // What a killed one has left: nobody waits for the next of it either.
                        merging.left(end.source().worker(), end.window().endNs());
                    }
                });
    }

    private void tellReplaced(Parcel.WindowEnd end) {
        String query = end.activation().query();
        if (queries.isOlder(query, end.activation().version())) {
            counts.replaced(query, end.window().processed());
        }
    }

    /** Of those that nothing has come of there is no end to be wrong about. */
    void renewed(String worker, List<Parcel.Renewed> renewed) {
        for (Parcel.Renewed one : renewed) {
            Merging known = mergings.get(one.activation());
            if (known != null) {
                known.until(worker, one.untilNs());
            }
        }
    }

    void ended(Parcel.Ended ended) {
        with(
                ended.activation(),
                merging -> merging.ended(ended.source().worker(), ended.untilNs()));
    }

    /** Totals of the query are read as a table from now on. */
    void keepTable(MergedQuery query) {
        query.keepsTable = true;
        mergings.values().stream().filter(m -> m.query() == query).forEach(Merging::keepTable);
    }

    /** A process begins that sends windows. */
    void begins() {
        queries.begins(journal);
        mergings.values().forEach(Merging::begins);
    }

    /** A source's life is over, which had come so far. */
    void cut(Source source, long passedNs) {
        queries.cut(source.worker(), passedNs, journal);
        mergings.values().forEach(merging -> merging.cut(source, passedNs));
    }

    /** Who had come so far is gone, or some of what it has sent after that. */
    void left(String worker, long passedNs) {
        mergings.values().forEach(merging -> merging.left(worker, passedNs));
    }

    /** Whether there is a window that is not final. */
    boolean isWaiting() {
        return mergings.values().stream().anyMatch(Merging::isWaiting);
    }

    /** Makes rows of what is due, as {@link Merging#hand}; of those that end by it, the last. */
    void pass(
            ResultStage stage,
            long watermarkNs,
            long passedNs,
            Set<String> awaited,
            Absent absent) {
        for (Merging merging : mergings.values()) {
            merging.hand(stage, watermarkNs, passedNs, absent);
        }
        List<Merging> over = new ArrayList<>();
        for (Merging merging : mergings.values()) {
            if (merging.isEnded(awaited, watermarkNs)) {
                merging.finish();
                over.add(merging);
            }
        }
        stage.pass(watermarkNs);
        for (Merging merging : over) {
            mergings.remove(merging.id());
            merging.over();
        }
    }

    /**
     * The query is no more, nor is what waits of it.
     *
     * @param replaced whether that is lost: another version is there
     */
    void drop(MergedQuery query, boolean replaced) {
        query.finals.drop(journal);
        for (Merging merging : List.copyOf(mergings.values())) {
            if (merging.query() == query) {
                mergings.remove(merging.id());
                journal.forgotten(merging.id());
                merging.drop(replaced);
            }
        }
    }

    /** What was kept of one, before any other of it. */
    void restore(ActivationId id, MergeJournal.ActivationMark mark) {
        with(id, merging -> merging.restore(mark));
    }

    /** What was kept of one that has ended. */
    void restore(ActivationId id, MergeJournal.EndedMark mark) {
        MergedQuery query = queries.find(id.query(), id.version());
        if (query != null) {
            query.finals.restore(id, mark);
        }
    }

    /**
     * What cannot be read of one.
     *
     * @param passedNs what has passed by then
     */
    void restore(ActivationId id, KeptUnread unread, long passedNs) {
        with(id, merging -> merging.restore(unread, passedNs));
    }

    /** A block of totals, in the order in which they were kept. */
    void restoreTotal(ActivationId id, long endNs, byte[] block) {
        with(id, merging -> merging.restoreTotal(endNs, block));
    }

    /** A parcel of a window that waited; each source's in order. */
    void restore(Parcel parcel) {
        if (parcel instanceof Parcel.Block block) {
            with(block.activation(), merging -> read(block, merging));
        } else if (parcel instanceof Parcel.WindowEnd end) {
            tellReplaced(end);
            with(end.activation(), merging -> merging.restore(end));
        }
    }

    /** What has not become rows is none. */
    @Override
    public void close() {
        mergings.values().forEach(Merging::close);
        mergings.clear();
    }
}
