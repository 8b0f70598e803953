package io.weir.cluster.kafka.catalog;

import io.weir.operators.graph.Query;

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
}
