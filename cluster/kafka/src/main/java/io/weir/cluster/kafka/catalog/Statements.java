package io.weir.cluster.kafka.catalog;

import io.weir.cluster.catalog.Dependencies;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.SubQueryNames;
import io.weir.sql.catalog.MapCatalog;
import java.util.List;

/** Turns a query into text that can be planned even after the catalogue has changed. Stateless. */
public final class Statements {
    private Statements() {}

    /**
     * Returns the statements of all queries that a query needs, each after its own needs, and then
     * its own.
     */
    public static List<String> of(Query query, CatalogState catalog) {
        return Dependencies.closure(List.of(query), catalog::find).stream()
                .filter(one -> one.equals(query) || !SubQueryNames.isOne(one.name()))
                .map(Query::sql)
                .toList();
    }

    /**
     * Plans the last of these statements, which can need the others.
     *
     * @throws WeirException if one is no statement of this release
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
