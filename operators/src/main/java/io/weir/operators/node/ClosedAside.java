package io.weir.operators.node;

import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.result.ClosedWindow;

/**
 * Takes the closed windows of a state with a budget out of that, on their way to the results: else
 * it would depend on when those are done with them what finds room in the next window. One
 * pipeline's thread.
 *
 * <p>Bound: where as much as the state may have was closed since, or there is no memory, the
 * pipeline waits for the results; what there is no memory for even then stays in the budget.
 */
final class ClosedAside implements Handover {
    private final Handover results;
    private final Runnable awaitResults;
    private final NativeAllocator memory;
    private final long mostBytes;
    private long bytes;

    /**
     * @param awaitResults returns when the results have done what they can
     * @param memory to count them in
     * @param mostBytes of a state
     */
    ClosedAside(Handover results, Runnable awaitResults, NativeAllocator memory, long mostBytes) {
        this.results = results;
        this.awaitResults = awaitResults;
        this.memory = memory;
        this.mostBytes = mostBytes;
    }

    @Override
    public void put(ClosedWindow window) {
        if (window.partial() != null) {
            bytes += window.partial().bytes();
            if (bytes > mostBytes || !window.partial().handOver(memory)) {
                awaitResults.run();
                bytes = window.partial().bytes();
                window.partial().handOver(memory);
            }
        }
        results.put(window);
    }
}
