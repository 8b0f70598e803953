package io.weir.cluster.protocol;

import io.weir.operators.graph.Budget;
import io.weir.operators.graph.Operator;
import io.weir.operators.graph.Query;

/** The place where the rows of a query over packets are made, when several workers count for it. */
public enum RowsPlace {
    /** Each worker has groups, or rows, that no other has. No order, limit or reader spans them. */
    ON_WORKERS,
    /** Groups are merged, and a shard sees all that its rows need. */
    IN_SHARDS,
    /** An order, a limit, a condition or a query goes over the rows of all shards. */
    AFTER_SHARDS;

    /**
     * Returns whether a shard sees too little: for an order, for OVER, or for the number of
     * left-out packets of all groups.
     */
    public static boolean looksAcross(Query query) {
        boolean sorted = query.root() instanceof Operator.Sort;
        boolean keyed = query.aggregate().filter(a -> !a.keys().isEmpty()).isPresent();
        boolean over = query.over().isPresent();
        return keyed && (sorted || over || query.budget().flatMap(Budget::rank).isPresent());
    }
}
