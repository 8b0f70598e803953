package io.weir.operators.node;

import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;

/** Adds up samples of the work of one query's states, on all pipelines. Any thread. */
final class CostSamples {
    /** Samples are rare, one of 64, because asking the clock twice takes some 50 ns. */
    static final int MASK = 63;

    private final LongAdder kernelNs = new LongAdder();
    private final LongAdder kernelPackets = new LongAdder();
    private final LongAdder advanceNs = new LongAdder();
    private final LongAccumulator mostBytes = new LongAccumulator(Math::max, 0);

    void kernel(long ns, int packets) {
        kernelNs.add(ns);
        kernelPackets.add(packets);
    }

    void advance(long ns, long stateBytes) {
        advanceNs.add(ns);
        mostBytes.accumulate(stateBytes);
    }

    /**
     * @param rows of the query
     */
    QueryCost cost(String query, String stateOf, long rows, long rowsNs, long stateBytes) {
        return new QueryCost(
                query,
                stateOf,
                kernelNs.sum(),
                kernelPackets.sum(),
                advanceNs.sum(),
                rows,
                rowsNs,
                stateBytes,
                mostBytes.get());
    }
}
