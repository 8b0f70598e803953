package io.weir.cluster.kafka.catalog;

import io.weir.operators.graph.Query;
import io.weir.operators.graph.SubQueryNames;

/**
 * A query of the cluster's catalogue.
 *
 * @param version grows with every edit of the catalogue, and is the same for all readers
 * @param place in the order of definitions
 */
public record Definition(Query query, long version, long place) {
    public String name() {
        return query.name();
    }

    /** Returns whether it is a sub-query, whose rows stay inside. */
    public boolean isSubQuery() {
        return SubQueryNames.isOne(query.name());
    }
}
