package io.weir.bench;

import io.weir.operators.graph.Query;
import io.weir.sql.SqlFrontend;
import io.weir.sql.catalog.MapCatalog;
import java.util.Map;

/** The query of the capture and command measurements: totals over the whole input. */
public final class PerSource {
    public static final String SQL =
            "SELECT src_addr, COUNT(*) AS packets, SUM(bytes) AS bytes FROM packets"
                    + " GROUP BY src_addr";

    private PerSource() {}

    /** Returns the query as the planner makes it. */
    public static Query query() {
        return new SqlFrontend(new MapCatalog()).parseQuery(SQL, Map.of()).query();
    }
}
