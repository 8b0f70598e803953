package io.weir.operators.node;

import io.weir.operators.graph.Query;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.kernel.KernelCompiler;
import io.weir.operators.kernel.RowPredicate;
import io.weir.operators.result.Departure;
import io.weir.operators.rows.RowSink;

/**
 * The parts of a query that take time to make. They are made without the results' lock and off the
 * packet path.
 *
 * @param crowd one that the query can join; or null
 * @param over its code over that crowd's groups; or its own
 * @param departure takes its windows, or null; {@code readElsewhere}: whether others read its rows,
 *     wherever these are made; {@code wokenElsewhere}: whether nothing here wakes it
 * @param upstream the query whose rows its WHEN tests; or null
 */
record Prepared(
        CompiledQuery code,
        RowSink sink,
        Departure departure,
        boolean readElsewhere,
        boolean wokenElsewhere,
        Crowd crowd,
        CompiledQuery over,
        Running upstream,
        RowPredicate condition,
        RowPredicate until) {

    /**
     * Says whether and how the query's windows are sent on.
     *
     * @param wokenElsewhere whether its condition is over rows that are unknown here
     */
    record Way(Departure departure, boolean readElsewhere, boolean wokenElsewhere) {
        static final Way STAYS = new Way(null, false, false);
    }

    static Prepared of(CompiledQuery code, RowSink sink, Way way, Crowd crowd, Running upstream) {
        Query query = code.query();
        CompiledQuery over =
                crowd == null ? code : KernelCompiler.compile(crowd.over(query), code.layouts());
        RowPredicate condition = null;
        RowPredicate until = null;
        if (upstream != null) {
            condition = upstream.code.predicate(query.when().orElseThrow().condition());
            until = query.when().get().until().map(upstream.code::predicate).orElse(null);
        }
        return new Prepared(
                code,
                sink,
                way.departure(),
                way.readElsewhere(),
                way.wokenElsewhere(),
                crowd,
                over,
                upstream,
                condition,
                until);
    }
}
