package io.weir.cluster.kafka.catalog;

import io.weir.cluster.catalog.Dependencies;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Query;
import io.weir.sql.catalog.MapCatalog;
import java.util.List;

/** A query as text that can be planned where the catalogue has gone on. Stateless. */
public final class Statements {
    private Statements() {}

    /** Of all that a query of this catalogue needs, each after those that it needs, and its own. */
    public static List<String> of(Query query, CatalogState catalog) {
        return Dependencies.closure(List.of(query), catalog::find).stream()
                .map(Query::sql)
                .toList();
    }

    /**
     * The last of these, which can need the others.
     *
     * @throws WeirException where one is no statement of this release
     */
    public static Query plan(List<String> statements) {
        MapCatalog seen = new MapCatalog();
        Query last = null;
        for (String sql : statements) {
            last = Planning.create(sql, seen).query();
            seen.put(last);
        }
        if (last == null) {
            throw new WeirException(ErrorCode.INVALID_QUERY, "there are no statements");
        }
        return last;
    }
}
