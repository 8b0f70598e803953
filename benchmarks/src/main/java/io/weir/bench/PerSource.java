package io.weir.bench;

import io.weir.operators.graph.Inet;
import io.weir.operators.graph.Query;
import io.weir.operators.result.RowBatch;
import io.weir.sql.SqlFrontend;
import io.weir.sql.catalog.MapCatalog;
import java.util.Map;

/** The measured query: packets and bytes per source, totals over the whole input. */
public final class PerSource {
    public static final String SQL =
            "SELECT src_addr, COUNT(*) AS packets, SUM(bytes) AS bytes FROM packets"
                    + " GROUP BY src_addr";

    private static final int SRC_ADDR = 0;
    private static final int PACKETS = 1;
    private static final int BYTES = 2;

    private PerSource() {}

    /** As the planner has it. */
    public static Query query() {
        return new SqlFrontend(new MapCatalog()).parseQuery(SQL, Map.of()).query();
    }

    /**
     * Hashes result rows.
     *
     * @param passes over the same traffic that the rows are the totals of
     */
    public static void hash(RowBatch rows, long passes, ResultHash into) {
        for (int row = 0; row < rows.rows(); row++) {
            Inet source = (Inet) rows.value(row, SRC_ADDR);
            into.add(
                    source.family(),
                    source.high(),
                    source.low(),
                    rows.word(row, PACKETS) / passes,
                    rows.word(row, BYTES) / passes);
        }
    }
}
