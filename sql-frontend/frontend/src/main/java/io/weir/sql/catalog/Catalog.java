package io.weir.sql.catalog;

import io.weir.operators.graph.Query;
import java.util.List;
import java.util.Optional;

/** The existing queries by name. A statement may refer to them and to the streams. */
public interface Catalog {
    Optional<Query> find(String name);

    /** Returns the names of all queries, in a stable order. */
    List<String> names();
}
