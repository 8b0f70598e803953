package io.weir.operators.node;

import io.weir.operators.graph.Query;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.kernel.KernelCompiler;
import io.weir.operators.kernel.RowPredicate;
import io.weir.operators.result.Departure;
import io.weir.operators.result.RowSink;

/**
 * What a query needs that takes time: made without the results' lock, and off the packet path.
 *
 * @param crowd one that the query can join; or null
 * @param over its code over that crowd's groups; or its own
 * @param departure where its windows go, or null; {@code readElsewhere}: whether others read its
 *     rows, wherever these are made; {@code wokenElsewhere}: whether nothing here wakes it
 * @param upstream whose rows its WHEN tests; or null
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
     * How the query's windows leave, if they do.
     *
     * @param wokenElsewhere whether its condition is over rows that nobody knows of here
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
