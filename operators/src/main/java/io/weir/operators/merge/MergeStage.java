package io.weir.operators.merge;

import io.weir.operators.graph.Query;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.kernel.Gate;
import io.weir.operators.kernel.StateOptions;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.result.Departure;
import io.weir.operators.result.QueryShape;
import io.weir.operators.result.ResultStage;
import io.weir.operators.result.RowSink;
import io.weir.operators.trigger.Trigger;
import io.weir.operators.trigger.TriggerListener;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongConsumer;

/**
 * The merge of one shard, as a plain state machine around the {@link ResultStage} that also the
 * embedded node runs: it is given parcels of many sources in any interleaving, each source's in
 * order, and the time; and emits each window once, when all that are expected have reported it, or
 * when those that have not are given up, which lowers its completeness. A parcel that comes again
 * changes nothing, one that is late changes no row that was made, and both are counted. One thread
 * at a time; nothing here asks a clock.
 *
 * <p>Where a query orders or limits its rows, or others read them, a shard sees too little: its
 * windows go on, by a {@link Departure}, to a stage of the same kind that sees all shards as its
 * sources ({@link #second}).
 */
public final class MergeStage implements AutoCloseable {
    /** The bounds of a stage. */
    public record Options(long partialBytes, long timeoutNs) {
        public static final Options DEFAULT = new Options(1L << 30, 10_000_000_000L);
    }

    private final MergedQueries queries;
    private final ResultStage stage;
    private final MergeCounts counts = new MergeCounts();
    private final Activations activations;
    private final Sources sources;
    private final List<LongConsumer> passListeners = new ArrayList<>();
    private MergeJournal journal = MergeJournal.NONE;
    private final List<Runnable> againListeners = new ArrayList<>();
    private long passedNs = Long.MIN_VALUE;

    /** Whether all who are waited for have ended, and what they had is out. */
    private boolean ended;

    /** Whether queries over rows had ended with them before this process began. */
    private boolean rowsEnded;

    /** Whether somebody has been waited for since: the next end is another one. */
    private boolean goesOn;

    private MergeStage(NativeAllocator allocator, Options options, boolean second) {
        queries = new MergedQueries(allocator, options, second, counts);
        stage = queries.stage();
        StateOptions state = new StateOptions(options.partialBytes(), QueryShape.TICK_NS);
        activations = new Activations(allocator, queries, state, counts);
        sources = new Sources(options.timeoutNs(), counts, second);
    }

    /** Whose sources are workers. */
    public static MergeStage first(NativeAllocator allocator, Options options) {
        return new MergeStage(allocator, options, false);
    }

    /**
     * Whose sources are the shards of a first step. They are waited for as long as it takes: one
     * that nobody has now will be had by another instance, and loses nothing.
     */
    public static MergeStage second(NativeAllocator allocator, Options options) {
        return new MergeStage(allocator, options, true);
    }

    /** Rows of the query's windows are made here. */
    public void add(CompiledQuery code, long version, RowSink sink) {
        queries.add(code, version, sink);
    }

    /** The query's windows are merged here, and go on. */
    public void add(CompiledQuery code, long version, Departure onward, boolean readElsewhere) {
        queries.add(code, version, onward, readElsewhere);
    }

    /** Rows of a version that is merged here are made here too, from its next window on. */
    public void move(String query, long version, RowSink sink) {
        queries.move(query, version, sink);
    }

    /** Windows of a version that is merged here go on, from the next one on. */
    public void move(String query, long version, Departure onward) {
        queries.move(query, version, onward);
    }

    /** Totals of a version that is merged here are read as a table. */
    public void keepTable(String query, long version) {
        activations.keepTable(queries.find(query, version));
    }

    /** A query over the rows of another, which is there; it counts from its next row on. */
    public void addRows(CompiledQuery code, RowSink sink) {
        addRows(code, 1, sink, false);
    }

    /**
     * The same.
     *
     * @param older whether it reads those of older versions too, as if it had been there before
     *     they were replaced
     */
    public void addRows(CompiledQuery code, long version, RowSink sink, boolean older) {
        queries.addRows(code, version, sink, older);
    }

    /** A query over rows begins to count. */
    public void wake(String query, Gate gate, long activeFromNs) {
        queries.wake(query, gate, activeFromNs);
    }

    /**
     * A query's condition over the rows of another, which is there.
     *
     * @param delayNs from the end of a window until no packet of before it can come
     * @param listener told when the query wakes and ends
     * @param older as of {@link #addRows}
     */
    public Trigger addTrigger(Query query, long delayNs, TriggerListener listener, boolean older) {
        return queries.addTrigger(query, delayNs, listener, older);
    }

    /** The condition is tested no more. */
    public void removeTrigger(String upstream, Trigger trigger) {
        queries.removeTrigger(upstream, trigger);
    }

    /** A query over rows, and what it still has to say, is no more. */
    public void dropRows(String query) {
        queries.dropRows(query);
    }

    /** Rows that wait are not made; where another version stays, they are told as lost. */
    public void drop(String query, long version) {
        MergedQuery dropped = queries.drop(query, version);
        if (dropped != null) {
            activations.drop(dropped, queries.isOlder(query, version));
        }
    }

    /** A query is no more, with all its versions. */
    public void dropAll(String query) {
        queries.dropAll(query).forEach(dropped -> activations.drop(dropped, false));
    }

    public boolean knows(String query, long version) {
        return queries.find(query, version) != null;
    }

    /**
     * Who is waited for, from now on; before the first call, all who have sent something. One that
     * is expected no more and has not ended is missing from the windows after, until it comes back.
     *
     * @param sending those of them who say that there is something on its way: they are given up
     *     later
     */
    public void expect(Set<String> workers, Set<String> sending, long nowNs) {
        gone(sources.expect(workers, sending, nowNs));
        tick(nowNs);
    }

    /**
     * Who is waited for at the beginning; nothing is emitted by it. Of those who were restored the
     * others are missing, as in {@link #expect}.
     */
    public void expectFirst(Set<String> workers) {
        gone(sources.expect(workers, Set.of(), 0));
    }

    private void gone(Set<String> workers) {
        for (String gone : workers) {
            activations.left(gone, sources.of(gone).watermarkNs());
        }
    }

    /** Who is told what to keep, from now on. */
    public void journal(MergeJournal keeper) {
        journal = keeper;
        activations.keepIn(keeper);
        queries.keepIn(keeper);
    }

    /** All that was due by then was emitted. */
    public long passedNs() {
        return passedNs;
    }

    /** Up to which time a source has sent all; {@link Long#MIN_VALUE} when it has said nothing. */
    public long passedNs(String source) {
        return sources.watermarkNs(source);
    }

    /**
     * Workers that were taken out for good: from the next window on nobody misses them, unless
     * another life of theirs comes.
     *
     * @param lives the last ones, by worker
     */
    public void retire(Map<String, String> lives) {
        sources.retire(lives);
    }

    /** The same, of any of its lives: how far windows of it were read. */
    public long reachedNs(String source) {
        return sources.reachedNs(source);
    }

    /** Whether anything of this life of a source, or of one after it, has come. */
    public boolean hasHeardOf(String source, String life) {
        return sources.hasHeardOf(source, life);
    }

    /** Returns whether this life of a source has ended, and no later one has sent anything. */
    public boolean hasEnded(String source, String life) {
        return sources.hasEnded(source, life);
    }

    /** Those who are waited for, and hold others back: by name. */
    public Set<String> behind() {
        return sources.behind();
    }

    /** Whether there is a window that is not final. */
    public boolean isWaiting() {
        return activations.isWaiting();
    }

    /** Those who have come so far, or have begun, and have not come to their ends. */
    public Set<String> goingOn(long sinceNs) {
        return sources.goingOn(sinceNs);
    }

    /** What was kept of a source. Before anything else, as what follows. */
    public void restore(String worker, MergeJournal.SourceMark mark) {
        sources.sends(worker).restore(mark);
    }

    /** What was kept of an activation; nothing happens where its query is no more. */
    public void restore(ActivationId activation, MergeJournal.ActivationMark mark) {
        activations.restore(activation, mark);
    }

    /** What was kept of an activation that has ended; as before. */
    public void restore(ActivationId activation, MergeJournal.EndedMark mark) {
        activations.restore(activation, mark);
    }

    /** What was kept of an activation's totals; nothing happens where its query is no more. */
    public void restoreTotal(ActivationId activation, long endNs, byte[] block) {
        activations.restoreTotal(activation, endNs, block);
    }

    /** A parcel of a window that waited; each source's in order, after the marks. */
    public void restore(Parcel parcel) {
        activations.restore(parcel);
    }

    /** What was kept of a query over rows, which may not be here yet. */
    public void restore(MergeJournal.ReaderId reader, MergeJournal.ReaderMark mark) {
        queries.kept(reader).mark(mark);
    }

    /** Rows that it had read. */
    public void restore(MergeJournal.ReaderId reader, MergeJournal.ReadRows rows) {
        queries.kept(reader).rows(rows);
    }

    /** What was kept and cannot be read: after all that can, but for parcels. */
    public void restore(KeptUnread unread) {
        counts.keptUnread(unread.about());
        if (unread instanceof KeptUnread.Rows rows) {
            queries.kept(rows.reader()).unread();
        } else if (unread instanceof KeptUnread.OfActivation of) {
            activations.restore(of.activation(), unread, passedNs);
        }
    }

    /**
     * Queries over rows, which are awake if they were, go on where they were. After the journal is
     * there, and before anything else comes.
     */
    public void resumeRows() {
        rowsEnded = queries.resumeRows(passedNs);
    }

    public void restorePassed(long watermarkNs) {
        passedNs = watermarkNs;
    }

    /** To be told, after each time that has passed here. */
    public void addPassListener(LongConsumer listener) {
        passListeners.add(listener);
    }

    /** What has passed here is told by this one, who sends what leaves here. */
    public void addPassListener(PartialSender onward) {
        addPassListener(
                watermarkNs -> {
                    boolean end = watermarkNs == Long.MAX_VALUE;
                    onward.passed(watermarkNs, end ? sources.digest() : Parcel.Passed.UNTOLD);
                });
    }

    /** To be told when somebody comes after all had ended, before anything of it is passed on. */
    public void addAgainListener(Runnable listener) {
        againListeners.add(listener);
    }

    public MergeCounts counts() {
        return counts;
    }

    /**
     * Takes a parcel in, and emits what is final by it.
     *
     * @param nowNs of a clock that only goes forward
     */
    public void accept(Parcel parcel, long nowNs) {
        counts.parcels().incrementAndGet();
        String worker = parcel.source().worker();
        SourceState source = sources.sends(worker);
        if (!isOfThisLife(source, parcel)) {
            counts.duplicates().incrementAndGet();
            return;
        }
        boolean fromTheBeginning = source.nextSequence() == 0 && parcel.sequence() == 0;
        long gap = source.gap(parcel.sequence());
        if (gap < 0) {
            counts.duplicates().incrementAndGet();
            return;
        }
        if (gap > 0) {
            counts.missing().addAndGet(gap);
            activations.left(worker, source.watermarkNs());
        }
        source.whole(fromTheBeginning || source.isWhole() && gap == 0);
        if (parcel instanceof Parcel.Passed passed && passed.isBeginning()) {
            sources.begins(worker, nowNs);
        }
        take(parcel, worker, source);
        journal.source(worker, source.mark());
        advance(nowNs);
        activations.journal();
    }

    private boolean isOfThisLife(SourceState source, Parcel parcel) {
        String life = parcel.source().life();
        if (life.equals(source.life())) {
            return true;
        } else if (source.isOver(life)) {
            return false;
        }
        if (source.life() != null) {
            Source before = new Source(parcel.source().worker(), source.life());
            activations.cut(before, source.watermarkNs());
        }
        activations.begins();
        source.begin(life);
        return true;
    }

    private void take(Parcel parcel, String worker, SourceState source) {
        if (parcel instanceof Parcel.Passed passed) {
            activations.renewed(worker, passed.renewed());
            source.passed(passed.watermarkNs(), passed.heard());
        } else if (parcel instanceof Parcel.Block block) {
            sources.sendsWindow(source);
            activations.block(block);
        } else if (parcel instanceof Parcel.WindowEnd end) {
            sources.sendsWindow(source);
            activations.end(end, source.isWhole(), sources.isExpected(worker));
        } else if (parcel instanceof Parcel.Ended ended) {
            activations.ended(ended);
        }
    }

    /** The time has gone on: who is behind for too long is given up. */
    public void tick(long nowNs) {
        advance(nowNs);
        activations.journal();
    }

    private void advance(long nowNs) {
        Sources.Passed all = sources.passed(nowNs);
        boolean end = all.watermarkNs() == Long.MAX_VALUE;
        goesOn |= !end && !all.awaited().isEmpty();
        if (end ? !ended || goesOn || isWaiting() : all.watermarkNs() > passedNs) {
            if ((ended || rowsEnded) && (!end || activations.isWaiting())) {
                rowsEnded = false;
                queries.again();
                againListeners.forEach(Runnable::run);
            }
            ended = end;
            goesOn = false;
            pass(all.watermarkNs(), all.awaited(), all.absent());
        }
    }

    /**
     * What is due is handed over and emitted. At the end of all that is everything; who comes after
     * that goes on with the time after the last that was passed before.
     */
    private void pass(long watermarkNs, Set<String> awaited, Absent absent) {
        passedNs = Math.max(passedNs, ended ? sources.beforeEndNs() : watermarkNs);
        activations.pass(stage, watermarkNs, passedNs, awaited, absent);
        sources.made(passedNs);
        queries.passed(watermarkNs, passedNs);
        journal.passed(passedNs);
        passListeners.forEach(listener -> listener.accept(watermarkNs));
    }

    @Override
    public void close() {
        activations.close();
        stage.close();
    }
}
