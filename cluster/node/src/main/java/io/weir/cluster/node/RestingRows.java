package io.weir.cluster.node;

import io.weir.operators.graph.Query;
import io.weir.operators.kernel.ActiveInterval;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.kernel.RowContext;
import io.weir.operators.kernel.StateOptions;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.result.Activation;
import io.weir.operators.result.Receivers;
import io.weir.operators.result.ResultQuery;
import io.weir.operators.result.ResultStage;
import io.weir.operators.rows.RowBatch;
import io.weir.operators.rows.RowSink;
import io.weir.sql.QueryCompiler;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Answers a SELECT with sub-queries, unions or joins over rows at rest. These are the rows of the
 * last window of each query that it names; of a table they are those of now. One thread.
 */
public final class RestingRows implements AutoCloseable {
    private static final long MAX_BYTES = 1L << 30;

    private final Query select;
    private final NodeSettings settings;
    private final NativeAllocator allocator = new NativeAllocator(MAX_BYTES);
    private final ResultStage stage = new ResultStage();
    private final Map<String, ResultQuery> queries = new LinkedHashMap<>();

    /** The queries that the SELECT names, by name: what takes their rows. */
    private final Map<String, Consumer<RowBatch>> inputs = new LinkedHashMap<>();

    /**
     * @param named finds a query that the SELECT names
     * @param sink takes the rows of the SELECT
     */
    public RestingRows(
            Query select, NodeSettings settings, Function<String, Query> named, RowSink sink) {
        this.select = select;
        this.settings = settings;
        for (Query one : select.all()) {
            for (String read : one.scan().queries()) {
                if (!queries.containsKey(read)) {
                    queries.put(read, added(named.apply(read)));
                    inputs.put(read, batch -> {});
                }
            }
            add(one);
        }
        queries.get(select.name()).addSink(sink);
    }

    /** Returns the names of the queries whose rows it needs. */
    public List<String> inputs() {
        return List.copyOf(inputs.keySet());
    }

    private ResultQuery added(Query query) {
        ResultQuery result = new ResultQuery(QueryCompiler.compile(query, settings.layouts()));
        stage.add(result);
        return result;
    }

    private void add(Query query) {
        ResultQuery result = added(query);
        queries.put(query.name(), result);
        List<String> read = query.scan().queries();
        for (int input = 0; input < read.size(); input++) {
            connect(queries.get(read.get(input)), read.get(input), result, input);
        }
        CompiledQuery code = result.code();
        result.activate(
                new Activation(
                        code,
                        new ActiveInterval(),
                        RowContext.ALWAYS,
                        Receivers.ALL,
                        StateOptions.DEFAULT,
                        allocator));
    }

    private void connect(ResultQuery upstream, String name, ResultQuery result, int input) {
        Query query = result.code().query();
        result.reads(upstream);
        boolean overTable = query.scan().isTable();
        boolean passes = query.aggregate().isEmpty() && !query.scan().combinesTables();
        boolean overRows = !overTable || passes;
        RowSink rows = result.asReader(input);
        if (overTable) {
            upstream.addTableReader(result.asTableReader(input));
        }
        if (overRows) {
            upstream.addReader(rows);
        }
        inputs.computeIfPresent(
                name,
                (n, before) ->
                        before.andThen(
                                batch -> {
                                    if (overTable) {
                                        result.asTableReader(input).table(batch, Receivers.ALL);
                                    }
                                    if (overRows) {
                                        rows.rows(batch);
                                    }
                                }));
    }

    /** Takes rows of one of the {@link #inputs}, which the caller keeps. */
    public void rows(String query, RowBatch batch) {
        inputs.get(query).accept(batch);
    }

    /** Passes the rows of the SELECT to the sink. */
    public void finish() {
        stage.pass(Long.MAX_VALUE);
    }

    @Override
    public void close() {
        stage.close();
    }

    @Override
    public String toString() {
        return "rows at rest for " + select.name();
    }
}
