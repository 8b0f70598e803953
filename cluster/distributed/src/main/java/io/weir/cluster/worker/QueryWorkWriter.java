package io.weir.cluster.worker;

import io.weir.cluster.node.QueryRate;
import io.weir.cluster.wire.QueryWork;
import io.weir.operators.node.QueryCost;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Writes the work of queries for heartbeats. Stateless. */
final class QueryWorkWriter {
    private QueryWorkWriter() {}

    /** Returns the work of each query by name, as heartbeats tell it. */
    static Map<String, QueryWork> of(List<QueryRate> rates) {
        Map<String, QueryWork> works = new HashMap<>();
        rates.forEach(rate -> works.put(rate.cost().query(), of(rate)));
        return works;
    }

    private static QueryWork of(QueryRate rate) {
        QueryCost cost = rate.cost();
        return QueryWork.newBuilder()
                .setStateOf(rate.isShared() ? cost.stateOf() : "")
                .setSeconds(rate.seconds())
                .setPacketsPerS(rate.packetsPerS())
                .setRowsPerS(rate.rowsPerS())
                .setCoreShare(rate.coreShare())
                .setKernelNs(cost.kernelNs())
                .setKernelPackets(cost.kernelPackets())
                .setAdvanceNs(cost.advanceNs())
                .setRows(cost.rows())
                .setRowsNs(cost.rowsNs())
                .setStateBytes(cost.stateBytes())
                .setMostBytes(cost.mostBytes())
                .build();
    }
}
