package io.weir.cluster.node;

import io.weir.cluster.security.Right;
import io.weir.cluster.security.User;
import io.weir.operators.graph.LookupTable;
import io.weir.operators.graph.Query;
import io.weir.sql.catalog.Catalog;
import io.weir.sql.catalog.DefinedAggregate;
import io.weir.sql.catalog.TableSpec;
import java.util.List;
import java.util.Optional;

/**
 * The catalogue as one user's statements see it. To plan a table reads its file, so that needs the
 * right before.
 */
record UserCatalog(Catalog base, User user) implements Catalog {
    @Override
    public Optional<Query> find(String name) {
        return base.find(name);
    }

    @Override
    public List<String> names() {
        return base.names();
    }

    @Override
    public List<DefinedAggregate> aggregates() {
        return base.aggregates();
    }

    @Override
    public Optional<LookupTable> table(String name) {
        return base.table(name);
    }

    @Override
    public List<String> tableNames() {
        return base.tableNames();
    }

    @Override
    public LookupTable newTable(TableSpec spec) {
        user.check(Right.CHANGE);
        return base.newTable(spec);
    }
}
