package io.weir.cluster.protocol;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Budget;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.When;
import io.weir.operators.kernel.ActiveInterval;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.kernel.RowContext;
import io.weir.operators.kernel.StateOptions;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.result.Activation;
import io.weir.operators.result.PartialExporter;
import io.weir.operators.result.QueryShape;
import io.weir.operators.result.Receivers;
import io.weir.operators.result.ResultQuery;
import io.weir.operators.result.ResultStage;
import io.weir.operators.rows.RowLayout;
import io.weir.operators.rows.RowSink;
import io.weir.operators.when.JointTest;
import io.weir.operators.when.WhenState;
import io.weir.operators.when.WhenTester;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The queries of a stage in the {@link ResultStage} that makes their rows: each version of those
 * over packets, and the latest of those over rows. The merge's thread.
 */
final class MergedQueries {
    private record Name(String query, long version) {}

    /** A query over rows, with its reader. */
    private record RowsQuery(ResultQuery result, RowsLog reader) {}

    /** The most bytes of read rows that a query over rows stores for its successor. */
    private static final long MOST_READ_BYTES = 64L << 20;

    private final NativeAllocator allocator;
    private final long partialBytes;
    private final boolean second;
    private final ResultStage stage;
    private final Map<Name, MergedQuery> queries = new LinkedHashMap<>();
    private final Map<String, RowsQuery> rowQueries = new HashMap<>();

    /** The stored state of queries over rows that are not here yet. */
    private final Map<MergeJournal.ReaderId, RowsLog.Kept> kept = new HashMap<>();

    private final MergeCounts counts;
    private MergeJournal journal = MergeJournal.NONE;
    private boolean resumed;
    private long passedNs = Long.MIN_VALUE;
    private boolean ended;

    MergedQueries(
            NativeAllocator allocator, long partialBytes, boolean second, MergeCounts counts) {
        stage = new ResultStage((query, unmade) -> unmade(query, unmade.why()));
        this.counts = counts;
        this.allocator = allocator;
        this.partialBytes = partialBytes;
        this.second = second;
    }

    private void unmade(ResultQuery query, WeirException why) {
        if (!query.code().query().reads().comesAsGpvs()) {
            counts.finalWindows().incrementAndGet(); // no hand-over has counted it
        }
        counts.unmade(query.name(), why);
    }

    ResultStage stage() {
        return stage;
    }

    /** Adds a query whose rows are made here. */
    void add(CompiledQuery code, long version, RowSink sink) {
        added(code, version).result.addSink(sink);
    }

    /** Adds a query whose windows are merged here, and go on. */
    void add(CompiledQuery code, long version, PartialExporter onward, boolean readElsewhere) {
        ResultQuery result = added(code, version).result;
        result.leaveBy(onward);
        if (readElsewhere) {
            result.addReader(batch -> {});
        }
    }

    /** Makes rows of a merged version here too, from its next window on. */
    void move(String query, long version, RowSink sink) {
        queries.get(new Name(query, version)).result.moveTo(null, sink);
    }

    /** Sends on the windows of a merged version, from the next one on. */
    void move(String query, long version, PartialExporter onward) {
        queries.get(new Name(query, version)).result.moveTo(onward, batch -> {});
    }

    private MergedQuery added(CompiledQuery code, long version) {
        boolean splits = !second && code.query().aggregate().isPresent();
        MergedQuery query = new MergedQuery(code, version, splits, second);
        String name = code.query().name();
        ResultQuery before = latest(name);
        if (queries.putIfAbsent(new Name(name, version), query) != null) {
            throw new WeirException(
                    ErrorCode.DUPLICATE_QUERY,
                    "version " + version + " of " + code.query().name() + " is merged already");
        }
        if (before == null) {
            stage.add(query.result);
        } else {
            // Readers of the old version's rows also read the new one's.
            stage.succeed(before, query.result);
        }
        return query;
    }

    private ResultQuery latest(String name) {
        ResultQuery found = null;
        for (MergedQuery merged : queries.values()) {
            found = merged.result.name().equals(name) ? merged.result : found;
        }
        return found;
    }

    /** Adds a query over the rows of another, which exists. It counts from its next row on. */
    void addRows(CompiledQuery code, long version, RowSink sink, boolean older) {
        Query query = code.query();
        ResultQuery result = new ResultQuery(code);
        result.addSink(sink);
        RowsLog reader =
                new RowsLog(
                        new MergeJournal.ReaderId(query.name(), version),
                        result,
                        Math.min(MOST_READ_BYTES, partialBytes),
                        journal);
        List<String> inputs = query.scan().queries();
        for (int input = 0; input < inputs.size(); input++) {
            result.reads(result(inputs.get(input)));
            for (ResultQuery upstream : read(inputs.get(input), older)) {
                boolean joins = query.scan().join().isPresent();
                code.prepareFor(joins ? code.combinedLayout() : upstream.code().rowLayout());
                connect(upstream, query, input, result, reader);
            }
        }
        rowQueries.put(query.name(), new RowsQuery(result, reader));
        stage.add(result);
        if (query.when().isEmpty()) {
            wake(query.name(), new ActiveInterval(), RowContext.ALWAYS);
        }
        if (resumed && kept.containsKey(reader.id())) {
            resume(rowQueries.get(query.name()));
        } else if (resumed) {
            reader.mark(passedNs, ended);
        }
    }

    private static void connect(
            ResultQuery upstream, Query query, int input, ResultQuery result, RowsLog reader) {
        boolean overTable = query.scan().isTable();
        if (overTable) {
            upstream.addTableReader(result.asTableReader(input));
        }
        if (!overTable || query.aggregate().isEmpty()) {
            upstream.addReader(reader.input(input));
        }
    }

    /** Sets the journal from now on. */
    void keepIn(MergeJournal keeper) {
        journal = keeper;
        rowQueries.values().forEach(query -> query.reader().keepIn(keeper));
    }

    /** Returns the stored state of a query over rows, until the query is there. */
    RowsLog.Kept kept(MergeJournal.ReaderId id) {
        return kept.computeIfAbsent(id, i -> new RowsLog.Kept());
    }

    /**
     * Continues queries over rows.
     *
     * @return whether they had ended with all makers of rows
     */
    boolean resumeRows(long untilNs) {
        resumed = true;
        passedNs = untilNs;
        ended = kept.values().stream().anyMatch(RowsLog.Kept::hasEnded);
        rowQueries.values().forEach(this::resume);
        return ended;
    }

    private void resume(RowsQuery query) {
        ResultQuery result = query.result();
        List<RowLayout> layouts =
                result.code().query().scan().queries().stream()
                        .flatMap(upstream -> allOf(upstream).stream())
                        .map(r -> r.code().rowLayout())
                        .toList();
        RowsLog.Resuming again = (gate, fromNs) -> wake(result.name(), of(result, gate), fromNs);
        RowsLog.Kept its = kept.remove(query.reader().id());
        if (query.reader().resume(its, passedNs, again, layouts, allocator)) {
            counts.forgotten(result.name());
        }
    }

    /** Adds an empty set of bindings to a query that uses values: these have ended. */
    private static ActiveInterval of(ResultQuery result, ActiveInterval gate) {
        ToldBindings none = new ToldBindings(result.code().query());
        return new ActiveInterval(gate.fromNs(), gate.untilNs(), none.feed());
    }

    /** Notes that all due windows were made. */
    void passed(long watermarkNs, long untilNs) {
        passedNs = untilNs;
        ended = watermarkNs == Long.MAX_VALUE;
        rowQueries.values().forEach(query -> query.reader().passed(watermarkNs, untilNs));
    }

    /** Lets a query over rows begin to count. */
    void wake(String query, ActiveInterval gate, long activeFromNs) {
        ResultQuery result = result(query);
        long tickNs = result.code().query().scan().isTable() ? QueryShape.TICK_NS : 0;
        long bytes = result.code().query().budget().map(Budget::memoryBytes).orElse(partialBytes);
        StateOptions state = new StateOptions(Math.min(bytes, partialBytes), tickNs);
        result.activate(
                new Activation(result.code(), gate, activeFromNs, Receivers.ALL, state, allocator));
    }

    /**
     * Adds a query's condition over the rows of another, which exists.
     *
     * @param delayNs from the end of a window until no packet of before it can come
     * @param state of the query, which the rows move
     * @param listener is told when the query wakes and ends
     */
    JointTest addTrigger(
            Query query,
            long delayNs,
            WhenState state,
            WhenTester.Listener listener,
            boolean older) {
        When when = query.when().orElseThrow();
        List<CompiledQuery> codes =
                when.upstreams().stream().map(upstream -> result(upstream).code()).toList();
        WhenTester test =
                new WhenTester(WhenTester.Conditions.of(when, codes), delayNs, state, listener);
        JointTest all = JointTest.of(when, codes, allocator, test);
        all.joint().ifPresent(stage::addJoint);
        for (int place = 0; place < codes.size(); place++) {
            RowSink reader = all.readers().get(place);
            read(when.upstreams().get(place), older).forEach(result -> result.addReader(reader));
        }
        return all;
    }

    /** Returns the latest version of a query, or all existing ones. */
    private List<ResultQuery> read(String query, boolean older) {
        return older ? allOf(query) : List.of(result(query));
    }

    /** Stops testing the condition. */
    void removeTrigger(Query query, JointTest test) {
        test.joint().ifPresent(stage::removeJoint);
        List<String> upstreams = query.when().orElseThrow().upstreams();
        for (int place = 0; place < upstreams.size(); place++) {
            RowSink reader = test.readers().get(place);
            allOf(upstreams.get(place)).forEach(result -> result.removeReader(reader));
        }
    }

    /** Drops a query over rows, and the windows that it still has to report. */
    void dropRows(String query) {
        RowsQuery dropped = rowQueries.remove(query);
        if (dropped != null) {
            List<String> inputs = dropped.result().code().query().scan().queries();
            for (int input = 0; input < inputs.size(); input++) {
                for (ResultQuery read : allOf(inputs.get(input))) {
                    read.removeReader(dropped.reader().input(input));
                    read.removeTableReader(dropped.result().asTableReader(input));
                }
            }
            dropped.reader().drop();
            stage.remove(dropped.result());
        }
    }

    private List<ResultQuery> allOf(String query) {
        List<ResultQuery> all = new ArrayList<>();
        queries.values().stream()
                .map(merged -> merged.result)
                .filter(result -> result.name().equals(query))
                .forEach(all::add);
        if (rowQueries.containsKey(query)) {
            all.add(rowQueries.get(query).result());
        }
        return all;
    }

    /** Returns a query's latest version, for readers of its rows. */
    ResultQuery result(String query) {
        RowsQuery overRows = rowQueries.get(query);
        ResultQuery found = overRows == null ? latest(query) : overRows.result();
        if (found == null) {
            throw new WeirException(ErrorCode.UNKNOWN_STREAM, "no query " + query + " is merged");
        }
        return found;
    }

    /** Returns null when it does not exist. */
    MergedQuery find(String query, long version) {
        return queries.get(new Name(query, version));
    }

    /** Returns whether another version of it exists. */
    boolean isOlder(String query, long version) {
        return find(query, version) == null && latest(query) != null;
    }

    /** Removes and returns the version; null when it did not exist. */
    MergedQuery drop(String query, long version) {
        MergedQuery dropped = queries.remove(new Name(query, version));
        if (dropped != null) {
            stage.remove(dropped.result);
        }
        return dropped;
    }

    /** Removes all versions of a query. */
    List<MergedQuery> dropAll(String query) {
        List<MergedQuery> all = new ArrayList<>(queries.values());
        all.removeIf(merged -> !merged.result.name().equals(query));
        all.forEach(merged -> drop(query, merged.version));
        return all;
    }

    /** Notes that a process that sends windows begins. */
    void begins(MergeJournal journal) {
        queries.values().forEach(query -> query.finals.begins(journal));
    }

    /** Notes that a worker's process is over, and how far it had come. */
    void cut(String worker, long passedNs, MergeJournal journal) {
        queries.values().forEach(query -> query.finals.cut(worker, passedNs, journal));
    }

    /** Lets queries over rows count again, after they had ended with all makers of rows. */
    void again() {
        for (RowsQuery query : rowQueries.values()) {
            String name = query.result().name();
            boolean over = query.result().activations().isEmpty();
            if (over && query.result().code().query().when().isEmpty()) {
                wake(name, new ActiveInterval(), RowContext.ALWAYS);
            }
        }
    }
}
