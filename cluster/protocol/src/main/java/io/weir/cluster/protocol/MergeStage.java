package io.weir.cluster.protocol;

import io.weir.operators.graph.Query;
import io.weir.operators.kernel.ActiveInterval;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.kernel.StateOptions;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.result.PartialExporter;
import io.weir.operators.result.QueryShape;
import io.weir.operators.result.ResultStage;
import io.weir.operators.rows.RowSink;
import io.weir.operators.when.JointTest;
import io.weir.operators.when.WhenState;
import io.weir.operators.when.WhenTester;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongConsumer;

/**
 * The merge of one shard, as a plain state machine around the {@link ResultStage} that the embedded
 * node also runs. It takes messages of many sources in any interleaving, in order per source, and
 * the time. It emits each window once: when all expected sources have reported it, or when the rest
 * are given up, which lowers its completeness. A repeated message changes nothing. A late one
 * changes no finished row. Both are counted. One thread at a time; it reads no clock.
 *
 * <p>If a query orders or limits its rows, or others read them, one shard sees too little. Its
 * windows then go on, through a {@link PartialExporter}, to a stage of the same kind whose sources
 * are all shards ({@link #second}).
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
    private final WorkerEpochs sources;
    private final StageRestore restoring;
    private final List<LongConsumer> passListeners = new ArrayList<>();
    private MergeJournal journal = MergeJournal.NONE;
    private final List<Runnable> againListeners = new ArrayList<>();
    private long passedNs = Long.MIN_VALUE;

    /** True if all awaited sources have ended, and their windows are out. */
    private boolean ended;

    /** True if queries over rows had ended with them before this process began. */
    private boolean rowsEnded;

    /** True if a source has been awaited since. The next end is then another one. */
    private boolean goesOn;

    private MergeStage(NativeAllocator allocator, Options options, boolean second) {
        queries = new MergedQueries(allocator, options.partialBytes(), second, counts);
        stage = queries.stage();
        StateOptions state = new StateOptions(options.partialBytes(), QueryShape.TICK_NS);
        activations = new Activations(allocator, queries, state, counts);
        sources = new WorkerEpochs(options.timeoutNs(), counts, second);
        restoring = new StageRestore(queries, activations, sources, counts, this::passedNs);
    }

    /** Makes a stage whose sources are workers. */
    public static MergeStage first(NativeAllocator allocator, Options options) {
        return new MergeStage(allocator, options, false);
    }

    /**
     * Makes a stage whose sources are the shards of a first step. It waits for them without limit:
     * a shard without an owner moves to another instance, and loses nothing.
     */
    public static MergeStage second(NativeAllocator allocator, Options options) {
        return new MergeStage(allocator, options, true);
    }

    /** Adds a query whose rows are made here. */
    public void add(CompiledQuery code, long version, RowSink sink) {
        queries.add(code, version, sink);
    }

    /** Adds a query whose windows are merged here, and go on. */
    public void add(
            CompiledQuery code, long version, PartialExporter onward, boolean readElsewhere) {
        queries.add(code, version, onward, readElsewhere);
    }

    /** Makes rows of a merged version here too, from its next window on. */
    public void move(String query, long version, RowSink sink) {
        queries.move(query, version, sink);
    }

    /** Sends on the windows of a merged version, from the next one on. */
    public void move(String query, long version, PartialExporter onward) {
        queries.move(query, version, onward);
    }

    /** Lets totals of a merged version be read as a table. */
    public void keepTable(String query, long version) {
        activations.keepTable(queries.find(query, version));
    }

    /**
     * Adds a query over the rows of another, which exists. It counts from its next row on.
     *
     * @param older whether it also reads the rows of older versions, as if it had existed before
     *     they were replaced
     */
    public void addRows(CompiledQuery code, long version, RowSink sink, boolean older) {
        queries.addRows(code, version, sink, older);
    }

    /** Lets a query over rows begin to count. */
    public void wake(String query, ActiveInterval gate, long activeFromNs) {
        queries.wake(query, gate, activeFromNs);
    }

    /**
     * Adds a query's condition over the rows of others, which exist.
     *
     * @param delayNs from a window's end until no packet of before it can come
     * @param state of the query, which the rows move, and whose changes are told
     * @param older as of {@link #addRows}
     */
    public JointTest addTrigger(
            Query query,
            long delayNs,
            WhenState state,
            WhenTester.Listener listener,
            boolean older) {
        return queries.addTrigger(query, delayNs, state, listener, older);
    }

    /** Stops testing the condition. */
    public void removeTrigger(Query query, JointTest test) {
        queries.removeTrigger(query, test);
    }

    /** Drops a query over rows, and the windows that it still has to report. */
    public void dropRows(String query) {
        queries.dropRows(query);
    }

    /**
     * Drops a version. Its waiting windows make no rows. If another version stays, they are
     * reported as lost.
     */
    public void drop(String query, long version) {
        MergedQuery dropped = queries.drop(query, version);
        if (dropped != null) {
            activations.drop(dropped, queries.isOlder(query, version));
        }
    }

    /** Drops a query with all its versions. */
    public void dropAll(String query) {
        queries.dropAll(query).forEach(dropped -> activations.drop(dropped, false));
    }

    public boolean knows(String query, long version) {
        return queries.find(query, version) != null;
    }

    /**
     * Sets the sources that are waited for from now on. Before the first call these are all that
     * have sent something. A source that is no longer expected and has not ended is missing from
     * later windows, until it comes back.
     *
     * @param sending those that report messages on their way: they are given up later
     */
    public void expect(Set<String> workers, Set<String> sending, long nowNs) {
        gone(sources.expect(workers, sending, nowNs));
        tick(nowNs);
    }

    /**
     * Sets the first expected sources; it emits nothing. Other restored sources are missing, as in
     * {@link #expect}.
     */
    public void expectFirst(Set<String> workers) {
        gone(sources.expect(workers, Set.of(), 0));
    }

    private void gone(Set<String> workers) {
        for (String gone : workers) {
            activations.left(gone, sources.of(gone).watermarkNs());
        }
    }

    /** Sets the journal from now on. */
    public void journal(MergeJournal keeper) {
        journal = keeper;
        activations.keepIn(keeper);
        queries.keepIn(keeper);
    }

    /** Returns the time by which all due windows were emitted. */
    public long passedNs() {
        return passedNs;
    }

    /**
     * Returns the time up to which a source has sent all; {@link Long#MIN_VALUE} if it has reported
     * nothing.
     */
    public long passedNs(String source) {
        return sources.watermarkNs(source);
    }

    /**
     * Takes workers out for good. From the next window on nobody misses them, unless another
     * process of theirs comes.
     *
     * @param lives the last ones, by worker
     */
    public void retire(Map<String, String> lives) {
        sources.retire(lives);
    }

    /** Returns how far windows of any of its processes were read. */
    public long reachedNs(String source) {
        return sources.reachedNs(source);
    }

    /** Returns whether a message of this process of a source, or of a later one, has come. */
    public boolean hasHeardOf(String source, String life) {
        return sources.hasHeardOf(source, life);
    }

    /** Returns whether this life of a source has ended, and no later one has sent anything. */
    public boolean hasEnded(String source, String life) {
        return sources.hasEnded(source, life);
    }

    /** Returns the names of the sources that are waited for, and hold others back. */
    public Set<String> behind() {
        return sources.behind();
    }

    /** Returns whether there is a window that is not final. */
    public boolean isWaiting() {
        return activations.isWaiting();
    }

    /** Returns the sources that have come so far, or have begun, and have not ended. */
    public Set<String> goingOn(long sinceNs) {
        return sources.goingOn(sinceNs);
    }

    /** Returns the part that restores this from a journal. */
    public StageRestore restoring() {
        return restoring;
    }

    /**
     * Continues queries over rows. They are awake if they were. It comes after the journal is set,
     * and before anything else.
     */
    public void resumeRows() {
        rowsEnded = queries.resumeRows(passedNs);
    }

    public void restorePassed(long timeNs) {
        passedNs = timeNs;
    }

    /** Adds a listener that is told each time that has passed here. */
    public void addPassListener(LongConsumer listener) {
        passListeners.add(listener);
    }

    /** Lets the sender of this stage's windows report the time that has passed here. */
    public void addPassListener(PartialSender onward) {
        addPassListener(
                watermarkNs -> {
                    boolean end = watermarkNs == Long.MAX_VALUE;
                    onward.passed(watermarkNs, end ? sources.digest() : MergeMessage.Passed.UNTOLD);
                });
    }

    /**
     * Adds a listener that is told when a source comes after all had ended, before its messages are
     * passed on.
     */
    public void addAgainListener(Runnable listener) {
        againListeners.add(listener);
    }

    public MergeCounts counts() {
        return counts;
    }

    /**
     * Takes a message, and emits the windows that it makes final.
     *
     * @param nowNs of a clock that only goes forward
     */
    public void accept(MergeMessage message, long nowNs) {
        counts.messages().incrementAndGet();
        String worker = message.source().worker();
        WorkerEpochState source = sources.sends(worker);
        if (!isOfThisLife(source, message)) {
            counts.duplicates().incrementAndGet();
            return;
        }
        boolean fromTheBeginning = source.nextSequence() == 0 && message.sequence() == 0;
        long gap = source.gap(message.sequence());
        if (gap < 0) {
            counts.duplicates().incrementAndGet();
            return;
        }
        if (gap > 0) {
            counts.missing().addAndGet(gap);
            activations.left(worker, source.watermarkNs());
        }
        source.whole(fromTheBeginning || source.isWhole() && gap == 0);
        if (message instanceof MergeMessage.Passed passed && passed.isBeginning()) {
            sources.begins(worker, nowNs);
        }
        take(message, worker, source);
        journal.source(worker, source.mark());
        advance(nowNs);
        activations.journal();
    }

    private boolean isOfThisLife(WorkerEpochState source, MergeMessage message) {
        String life = message.source().life();
        if (life.equals(source.life())) {
            return true;
        } else if (source.isOver(life)) {
            return false;
        }
        if (source.life() != null) {
            WorkerEpoch before = new WorkerEpoch(message.source().worker(), source.life());
            activations.cut(before, source.watermarkNs());
        }
        activations.begins();
        source.begin(life);
        return true;
    }

    private void take(MergeMessage message, String worker, WorkerEpochState source) {
        if (message instanceof MergeMessage.Passed passed) {
            activations.renewed(worker, passed.renewed());
            source.passed(passed.watermarkNs(), passed.heard());
        } else if (message instanceof MergeMessage.Block block) {
            sources.sendsWindow(source);
            activations.block(block);
        } else if (message instanceof MergeMessage.WindowEnd end) {
            sources.sendsWindow(source);
            activations.end(end, source.isWhole(), sources.isExpected(worker));
        } else if (message instanceof MergeMessage.Ended ended) {
            activations.ended(ended);
        }
    }

    /** Moves the time on. Sources that are behind for too long are given up. */
    public void tick(long nowNs) {
        advance(nowNs);
        activations.journal();
    }

    private void advance(long nowNs) {
        WorkerEpochs.Passed all = sources.passed(nowNs);
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
     * Hands over and emits the due windows. At the end of all this is everything. A source that
     * comes later continues after the last time that had passed before.
     */
    private void pass(long watermarkNs, Set<String> awaited, AbsentWorkers absent) {
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
