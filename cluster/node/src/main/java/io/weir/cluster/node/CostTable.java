package io.weir.cluster.node;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Makes the rows of SHOW QUERY COST. Stateless. */
public final class CostTable {
    /** The columns of one machine; in a cluster the worker's name comes first. */
    public static final List<String> HEADINGS =
            List.of(
                    "query",
                    "packets_s",
                    "rows_s",
                    "ns_packet",
                    "core_pct",
                    "state_bytes",
                    "state_of");

    public static final Set<String> NUMBERS = Set.of("packets_s", "state_bytes");
    public static final Set<String> DECIMALS = Set.of("rows_s", "ns_packet", "core_pct");

    private CostTable() {}

    /** Returns the row of a query. The cells of the kernel are empty if another query has them. */
    public static List<String> row(QueryRate rate) {
        boolean own = !rate.isShared();
        boolean sampled = own && rate.cost().kernelPackets() > 0;
        return List.of(
                rate.cost().query(),
                String.valueOf(Math.round(rate.packetsPerS())),
                decimal(rate.rowsPerS()),
                sampled ? decimal(rate.nsPerPacket()) : "",
                decimal(100 * rate.coreShare()),
                String.valueOf(own ? rate.cost().stateBytes() : 0),
                own ? "" : rate.cost().stateOf());
    }

    /** Returns the row of a query on a worker. */
    public static List<String> row(String worker, QueryRate rate) {
        List<String> row = new ArrayList<>(List.of(worker));
        row.addAll(row(rate));
        return row;
    }

    private static String decimal(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }
}
