package io.weir.bench;

import io.weir.bench.generate.Burst;
import io.weir.bench.generate.Traffic;
import io.weir.bench.generate.TrafficShape;
import io.weir.operators.graph.Inet;
import java.util.HashMap;
import java.util.Map;

/** Packets and bytes per source, counted from the generator with a HashMap: the oracle. */
public final class SourceTotals {
    private final Map<Inet, long[]> totals = new HashMap<>();

    private SourceTotals() {}

    public static SourceTotals of(TrafficShape shape) {
        SourceTotals totals = new SourceTotals();
        Traffic traffic = new Traffic(shape);
        Burst burst = new Burst();
        while (traffic.next(burst)) {
            Inet source = new Inet(burst.family(), burst.srcHigh(), burst.srcLow());
            long[] total = totals.totals.computeIfAbsent(source, key -> new long[2]);
            total[0] += burst.count();
            total[1] += burst.totalBytes();
        }
        return totals;
    }

    public ResultHash hash() {
        ResultHash hash = new ResultHash();
        totals.forEach((source, total) -> hash.address(source).word(total[0]).word(total[1]).end());
        return hash;
    }
}
