package io.weir.cluster.node;

import io.weir.cluster.security.Right;
import io.weir.cluster.security.User;
import io.weir.operators.graph.LookupTable;
import io.weir.sql.catalog.Catalog;
import io.weir.sql.catalog.ForwardingCatalog;
import io.weir.sql.catalog.TableSpec;
import java.util.function.Function;

/**
 * The catalogue as one user's statements see it. To plan a table reads its file, so that needs the
 * right before.
 *
 * @param tables makes new tables
 */
public record UserCatalog(Catalog base, User user, Function<TableSpec, LookupTable> tables)
        implements ForwardingCatalog {
    @Override
    public LookupTable newTable(TableSpec spec) {
        user.check(Right.CHANGE);
        return tables.apply(spec);
    }
}
