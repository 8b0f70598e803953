package io.weir.cluster.catalog;

import io.weir.operators.graph.Query;
import io.weir.sql.catalog.Catalog;
import io.weir.sql.catalog.ForwardingCatalog;
import java.util.Optional;

/** A catalogue with the sub-queries of one statement, which are found and not listed. */
public record StatementCatalog(Query statement, Catalog base) implements ForwardingCatalog {
    @Override
    public Optional<Query> find(String name) {
        return statement.part(name).or(() -> base.find(name));
    }
}
