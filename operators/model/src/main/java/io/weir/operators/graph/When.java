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
 */
public record When(String upstream, Expr condition, Optional<Expr> until, Optional<Long> forNs) {
    public When {
        if (until.isPresent() && forNs.isPresent()) {
            throw new IllegalArgumentException("UNTIL and FOR together");
        }
    }
}
