package io.weir.operators.node;

import io.weir.operators.graph.Query;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.kernel.KernelCompiler;
import io.weir.operators.result.PartialExporter;
import io.weir.operators.result.ResultQuery;
import io.weir.operators.result.TableReader;
import io.weir.operators.rows.RowSink;
import io.weir.operators.when.WhenTester;
import java.util.ArrayList;
import java.util.List;

/**
 * A query of an engine: its place in the results, its shared state, its upstream. The results'
 * lock.
 */
final class RunningQuery {
    final CompiledQuery code;
    final ResultQuery result;
    final Way way;

    /** The shared state that it joins; null if it needs one of its own. */
    final SharedState joins;

    /** Its WHEN, over the rows of its upstreams; or null. */
    final WhenTester.Conditions conditions;

    final QueryPages pages;
    SharedState sharedState;

    private CompiledQuery over;

    /** The queries that a query over rows reads, one for each input of its scan. */
    final List<Read> reads = new ArrayList<>();

    /**
     * A query that this one reads, and the readers of its rows.
     *
     * @param rows null if only whole tables are read
     * @param tables null if no table is read
     */
    record Read(RunningQuery from, RowSink rows, TableReader tables) {}

    /** For a query with WHEN: the queries whose rows are tested. */
    List<RunningQuery> upstreams;

    /**
     * Says where its windows go, and where its condition is tested.
     *
     * @param exporter takes its windows, or null: its rows are made here
     * @param readElsewhere whether others read its rows, wherever these are made
     * @param wokenElsewhere whether its condition is over rows that are unknown here
     * @param paused whether it has its place only: it counts nothing, and nothing wakes it
     */
    record Way(
            PartialExporter exporter,
            boolean readElsewhere,
            boolean wokenElsewhere,
            boolean paused) {
        static final Way STAYS = new Way(null, false, false, false);
        static final Way PAUSED = new Way(null, false, false, true);
    }

    /**
     * Makes a query that is in no engine yet. This takes time, so it is done without the results'
     * lock and off the packet path.
     *
     * @param joins a shared state that it can join; or null
     * @param upstreams the queries whose rows its WHEN tests; none if it tests none here
     */
    RunningQuery(
            CompiledQuery code,
            RowSink sink,
            Way way,
            SharedState joins,
            List<RunningQuery> upstreams) {
        this.code = code;
        pages = new QueryPages(code.query());
        this.way = way;
        this.joins = joins;
        this.upstreams = List.copyOf(upstreams);
        over = joins == null ? code : KernelCompiler.compile(joins.over(query()), code.layouts());
        conditions =
                upstreams.isEmpty()
                        ? null
                        : WhenTester.Conditions.of(query().when().orElseThrow(), codes(upstreams));
        result = new ResultQuery(code);
        result.addSink(sink);
        if (way.exporter() != null) {
            result.leaveBy(way.exporter());
            if (way.readElsewhere()) {
                result.addReader(batch -> {});
            }
        }
    }

    static List<CompiledQuery> codes(List<RunningQuery> queries) {
        return queries.stream().map(query -> query.code).toList();
    }

    /**
     * Enters a shared state that does not count yet.
     *
     * @param groups its code over that state's groups
     */
    void enter(SharedState state, CompiledQuery groups) {
        sharedState = state;
        over = groups;
        state.add(new SharedState.Member(result, groups, pages));
    }

    /** Enters the shared state that it joins, which counts already. */
    void join() {
        sharedState = joins;
        joins.join(new SharedState.Member(result, over, pages));
    }

    boolean leaves() {
        return result.leaves();
    }

    /** Returns its work so far. */
    QueryCost cost() {
        return sharedState == null
                ? QueryCost.rowsOnly(name(), result.rowsMade(), result.rowsNs())
                : sharedState.cost(name(), result.rowsMade(), result.rowsNs());
    }

    boolean isPaused() {
        return way.paused();
    }

    Query query() {
        return code.query();
    }

    String name() {
        return code.query().name();
    }

    boolean dependsOn(RunningQuery other) {
        return reads.stream().anyMatch(read -> read.from() == other) || upstreams.contains(other);
    }
}
