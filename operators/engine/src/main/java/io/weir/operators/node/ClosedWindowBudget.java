package io.weir.operators.node;

import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.result.ClosedWindow;

/**
 * Moves the closed windows of a state with a budget out of that budget, on their way to the
 * results. Otherwise the room for the next window would depend on the speed of the results. One
 * pipeline's thread.
 *
 * <p>Bound: the pipeline waits for the results when as much was closed as the state may have, or
 * when there is no memory. If there is still no memory after that, the window stays in the budget.
 */
final class ClosedWindowBudget implements WindowHandover {
    private final WindowHandover results;
    private final Runnable awaitResults;
    private final NativeAllocator memory;
    private final long mostBytes;
    private long bytes;

    /**
     * @param awaitResults returns when the results have done what they can
     * @param memory the allocator that closed windows count in
     * @param mostBytes of a state
     */
    ClosedWindowBudget(
            WindowHandover results, Runnable awaitResults, NativeAllocator memory, long mostBytes) {
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
