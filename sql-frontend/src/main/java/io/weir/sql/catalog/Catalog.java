package io.weir.sql.catalog;

import io.weir.operators.graph.Query;
import java.util.List;
import java.util.Optional;

/** The queries that there are, by name: what a statement may refer to besides the streams. */
public interface Catalog {
    Optional<Query> find(String name);

    /** Names of all queries, in a stable order. */
    List<String> names();
}
