package io.weir.operators.graph;

import io.weir.operators.graph.Expr.Variable;
import java.util.List;
import java.util.Optional;

/**
 * WHEN condition [UNTIL condition | FOR interval]: the query sleeps until a row of an upstream
 * query meets the condition. The row is tested with the latest row of each other upstream.
 *
 * @param upstreams names of the queries whose emitted rows are tested, in the order of the
 *     condition
 * @param condition over the upstreams' columns. If there are several, a column's name has that of
 *     its query before it
 * @param until over the same; ends the activation
 * @param forNs event time after which it ends, renewed by each row that meets the condition
 * @param correlation the upstream's values that the query uses; empty if it uses none
 */
public record When(
        List<String> upstreams,
        Expr condition,
        Optional<Expr> until,
        Optional<Long> forNs,
        Optional<Correlation> correlation) {

    /** A condition whose query uses no values of the upstream. */
    public When(String upstream, Expr condition, Optional<Expr> until, Optional<Long> forNs) {
        this(List.of(upstream), condition, until, forNs, Optional.empty());
    }

    public When {
        upstreams = List.copyOf(upstreams);
        if (upstreams.isEmpty()) {
            throw new IllegalArgumentException("no upstream");
        }
        if (until.isPresent() && forNs.isPresent()) {
            throw new IllegalArgumentException("UNTIL and FOR together");
        }
    }

    /** Returns whether rows of several upstreams are tested together. */
    public boolean isJoint() {
        return upstreams.size() > 1;
    }

    /** Returns a column of a joint condition. */
    public static Variable qualified(String query, Variable column) {
        return Variable.column(query + "." + column.name(), column.type());
    }
}
