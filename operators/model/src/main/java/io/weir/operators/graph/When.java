package io.weir.operators.graph;

import java.util.Optional;

/**
 * WHEN condition [UNTIL condition | FOR interval]: the query sleeps until a row of the upstream
 * query meets the condition.
 *
 * @param upstream name of the query whose emitted rows are tested
 * @param condition over the upstream's columns
 * @param until over the same; ends the activation
 * @param forNs event time after which it ends, renewed by each row that meets the condition
 * @param correlation the upstream's values that the query uses; empty if it uses none
 */
public record When(
        String upstream,
        Expr condition,
        Optional<Expr> until,
        Optional<Long> forNs,
        Optional<Correlation> correlation) {

    /** A condition whose query uses no values of the upstream. */
    public When(String upstream, Expr condition, Optional<Expr> until, Optional<Long> forNs) {
        this(upstream, condition, until, forNs, Optional.empty());
    }

    public When {
        if (until.isPresent() && forNs.isPresent()) {
            throw new IllegalArgumentException("UNTIL and FOR together");
        }
    }
}
