package io.weir.sql.plan;

import io.weir.operators.graph.Query;
import io.weir.sql.catalog.Catalog;
import java.util.Optional;

/** What a SELECT from a query's name reads. */
public enum Selecting {
    /** Each row that the query emits, as it comes. */
    STREAM,

    /** The rows of its last closed window, where it has windows or totals: they can be ordered. */
    LAST_WINDOW;

    /** Whether what is read is rows at rest, rather than a stream without an end. */
    public boolean isAtRest(Catalog catalog, String stream) {
        return this == LAST_WINDOW && hasWindows(catalog, stream);
    }

    /** Rows of packets, and what only filters them, have no windows: where one cuts is chance. */
    private static boolean hasWindows(Catalog catalog, String stream) {
        Optional<Query> query = catalog.find(stream);
        return query.isPresent()
                && (query.get().aggregate().isPresent()
                        || hasWindows(catalog, query.get().scan().stream()));
    }
}
