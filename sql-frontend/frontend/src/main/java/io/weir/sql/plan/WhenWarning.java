package io.weir.sql.plan;

import io.weir.operators.graph.Query;
import io.weir.sql.catalog.Catalog;
import java.util.Optional;

/** Warns of an UNTIL that another group's row can meet than the one that woke the query. */
public final class WhenWarning {
    private WhenWarning() {}

    /** Returns the warning; empty if there is no reason for one. */
    public static Optional<String> of(Query query, Catalog catalog) {
        return query.when()
                .filter(when -> when.until().isPresent() && when.correlation().isEmpty())
                .filter(when -> !when.isJoint())
                .map(when -> when.upstreams().get(0))
                .filter(name -> catalog.find(name).filter(WhenWarning::isGrouped).isPresent())
                .map(
                        name ->
                                "a row of any group of "
                                        + name
                                        + " can end "
                                        + query.name()
                                        + ". WHERE … = "
                                        + name
                                        + ".column means the group that woke it");
    }

    private static boolean isGrouped(Query query) {
        return query.aggregate().filter(one -> !one.keys().isEmpty()).isPresent();
    }
}
