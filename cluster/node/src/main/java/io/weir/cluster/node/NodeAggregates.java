package io.weir.cluster.node;

import io.weir.cluster.catalog.QueryCatalog;
import io.weir.sql.Statement;

/** Runs the statements about aggregates on a node. Stateless. */
final class NodeAggregates {
    private NodeAggregates() {}

    static boolean isOne(Statement statement) {
        return statement instanceof Statement.CreateAggregate
                || statement instanceof Statement.DropAggregate;
    }

    /** Runs CREATE AGGREGATE or DROP AGGREGATE. */
    static void change(QueryCatalog catalog, Statement statement) {
        if (statement instanceof Statement.CreateAggregate create) {
            catalog.create(create.aggregate(), create.orReplace());
        } else if (statement instanceof Statement.DropAggregate drop) {
            catalog.dropAggregate(drop.name(), !drop.exists());
        }
    }
}
