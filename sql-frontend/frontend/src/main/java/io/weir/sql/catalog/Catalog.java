package io.weir.sql.catalog;

import io.weir.operators.graph.Query;
import java.util.List;
import java.util.Optional;

/**
 * The existing queries and aggregates by name. A statement may refer to them and to the streams.
 * Sub-queries are found by their names too, but no statement may name them.
 */
public interface Catalog {
    Optional<Query> find(String name);

    /** Returns the names of all queries, without their sub-queries, in a stable order. */
    List<String> names();

    /** Returns the aggregates that users have created, in a stable order. */
    List<DefinedAggregate> aggregates();

    /** Finds an aggregate by its name in small letters. */
    default Optional<DefinedAggregate> aggregate(String name) {
        return aggregates().stream().filter(one -> one.name().equals(name)).findFirst();
    }
}
