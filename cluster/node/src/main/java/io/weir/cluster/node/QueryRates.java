package io.weir.cluster.node;

import io.weir.operators.account.Stage;
import io.weir.operators.node.QueryCost;
import io.weir.operators.time.Stopwatch;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Turns counts of queries into rates. A rate is over the time since the latest look that is at
 * least a second ago; at the first look, since the beginning. Thread-safe.
 */
public final class QueryRates {
    private static final long LEAST_NS = 1_000_000_000L;
    private static final String PAGE = "query:";

    private final Stopwatch running = Stopwatch.started();
    private Look last = new Look(0, Map.of(), Map.of());
    private Look before = last;

    /** Counts of one moment, by query. */
    private record Look(long atNs, Map<String, QueryCost> costs, Map<String, Long> packets) {}

    /**
     * Returns the rates until now, in the order of the costs.
     *
     * @param account with the pages of the queries
     */
    public synchronized List<QueryRate> of(List<QueryCost> costs, List<Stage.Snapshot> account) {
        Map<String, QueryCost> byName = new HashMap<>();
        costs.forEach(cost -> byName.put(cost.query(), cost));
        Map<String, Long> packets = new HashMap<>();
        for (Stage.Snapshot page : account) {
            if (page.stage().startsWith(PAGE)) {
                packets.put(page.stage().substring(PAGE.length()), page.offered());
            }
        }
        Look now = new Look(running.ns(), byName, packets);
        if (now.atNs() - last.atNs() >= LEAST_NS) {
            before = last;
            last = now;
        }
        Look from = before;
        return costs.stream().map(cost -> rate(cost, from, now)).toList();
    }

    private static QueryRate rate(QueryCost cost, Look from, Look now) {
        String name = cost.query();
        double seconds = Math.max(1, now.atNs() - from.atNs()) / 1e9;
        QueryCost then = from.costs().get(name);
        long packets =
                more(from.packets().getOrDefault(name, 0L), now.packets().getOrDefault(name, 0L));
        long rows = more(then == null ? 0 : then.rows(), cost.rows());
        long rowsNs = more(then == null ? 0 : then.rowsNs(), cost.rowsNs());
        boolean counts = cost.stateOf().equals(name);
        double ns = cost.kernelNsPerPacket() + cost.advanceNsPerPacket();
        double busyNs = (counts ? ns * packets : 0) + rowsNs;
        return new QueryRate(
                cost, seconds, packets / seconds, rows / seconds, busyNs / seconds / 1e9);
    }

    /** A version that replaced another counts from 0 on. */
    private static long more(long then, long now) {
        return now >= then ? now - then : now;
    }
}
