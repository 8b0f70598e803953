package io.weir.bench.wire;

import io.weir.bench.ResultHash;
import io.weir.operators.graph.Inet;
import java.util.HashMap;
import java.util.Map;

/** Totals per IPv4 source of a list of packets that is read again and again: the oracle. */
final class RepeatedTotals {
    private final int[] sources;
    private final long[] bytes;
    private final int weight;

    /**
     * @param sources of each item
     * @param bytes of each item
     * @param weight the packets of an item
     */
    RepeatedTotals(int[] sources, long[] bytes, int weight) {
        this.sources = sources;
        this.bytes = bytes;
        this.weight = weight;
    }

    /** Returns the hash of the rows over the first items. */
    ResultHash of(long items) {
        Map<Integer, long[]> totals = new HashMap<>();
        for (int i = 0; i < sources.length; i++) {
            long times = items / sources.length + (i < items % sources.length ? 1 : 0);
            long[] total = totals.computeIfAbsent(sources[i], key -> new long[2]);
            total[0] += times * weight;
            total[1] += times * bytes[i];
        }
        ResultHash hash = new ResultHash();
        totals.forEach(
                (source, total) -> {
                    if (total[0] > 0) {
                        hash.address(Inet.v4(source)).word(total[0]).word(total[1]).end();
                    }
                });
        return hash;
    }
}
