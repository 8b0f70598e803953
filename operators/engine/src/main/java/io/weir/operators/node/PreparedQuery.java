package io.weir.operators.node;

import io.weir.operators.graph.Query;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.kernel.KernelCompiler;
import io.weir.operators.result.PartialExporter;
import io.weir.operators.rows.RowSink;
import io.weir.operators.when.WhenTester;

/**
 * The parts of a query that take time to make. They are made without the results' lock and off the
 * packet path.
 *
 * @param sharedState one that the query can join; or null
 * @param over its code over that shared state's groups; or its own
 * @param departure takes its windows, or null; {@code readElsewhere}: whether others read its rows,
 *     wherever these are made; {@code wokenElsewhere}: whether nothing here wakes it
 * @param upstream the query whose rows its WHEN tests; or null
 * @param conditions over that query's rows; or null
 */
record PreparedQuery(
        CompiledQuery code,
        RowSink sink,
        PartialExporter departure,
        boolean readElsewhere,
        boolean wokenElsewhere,
        SharedState sharedState,
        CompiledQuery over,
        RunningQuery upstream,
        WhenTester.Conditions conditions) {

    /**
     * Says whether and how the query's windows are sent on.
     *
     * @param wokenElsewhere whether its condition is over rows that are unknown here
     */
    record Way(PartialExporter departure, boolean readElsewhere, boolean wokenElsewhere) {
        static final Way STAYS = new Way(null, false, false);
    }

    static PreparedQuery of(
            CompiledQuery code,
            RowSink sink,
            Way way,
            SharedState sharedState,
            RunningQuery upstream) {
        Query query = code.query();
        CompiledQuery over =
                sharedState == null
                        ? code
                        : KernelCompiler.compile(sharedState.over(query), code.layouts());
        WhenTester.Conditions conditions =
                upstream == null
                        ? null
                        : WhenTester.Conditions.of(query.when().orElseThrow(), upstream.code);
        return new PreparedQuery(
                code,
                sink,
                way.departure(),
                way.readElsewhere(),
                way.wokenElsewhere(),
                sharedState,
                over,
                upstream,
                conditions);
    }
}
