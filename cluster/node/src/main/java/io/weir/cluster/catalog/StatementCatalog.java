package io.weir.cluster.catalog;

import io.weir.operators.graph.Query;
import io.weir.sql.catalog.Catalog;
import io.weir.sql.catalog.DefinedAggregate;
import java.util.List;
import java.util.Optional;

/** A catalogue with the sub-queries of one statement, which are found and not listed. */
public record StatementCatalog(Query statement, Catalog base) implements Catalog {
    @Override
    public Optional<Query> find(String name) {
        return statement.part(name).or(() -> base.find(name));
    }

    @Override
    public List<String> names() {
        return base.names();
    }

    @Override
    public List<DefinedAggregate> aggregates() {
        return base.aggregates();
    }
}
