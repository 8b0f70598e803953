package io.weir.sql.plan;

import io.weir.operators.graph.Query;
import io.weir.sql.catalog.Catalog;
import java.util.Optional;

/** The input of a SELECT from a query's name. */
public enum SelectInput {
    /** Each row that the query emits, as it comes. */
    STREAM,

    /** The rows of its last closed window, if it has windows or totals. They can be ordered. */
    LAST_WINDOW;

    /** Returns whether the input is rows at rest, rather than a stream without an end. */
    public boolean isAtRest(Catalog catalog, String stream) {
        return this == LAST_WINDOW && hasWindows(catalog, stream);
    }

    /**
     * Rows of packets, and of filters over them, have no windows, so no cut would be meaningful.
     */
    private static boolean hasWindows(Catalog catalog, String stream) {
        Optional<Query> query = catalog.find(stream);
        return query.isPresent()
                && (query.get().aggregate().isPresent()
                        || query.get().scan().queries().stream()
                                .anyMatch(read -> hasWindows(catalog, read)));
    }
}
