package io.weir.operators.node;

import io.weir.operators.account.Account;
import io.weir.operators.graph.WindowEnds;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.pipeline.Pipeline;
import io.weir.operators.result.ClosedWindow;
import io.weir.operators.result.InputSpan;
import io.weir.operators.result.SourceCounts;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The parts of an engine that its queries need.
 *
 * @param allocator for all but open windows
 * @param states for open windows; it leaves room for closed windows and their rows
 * @param runner takes the windows of the pipelines
 * @param results takes windows that close on the results' thread itself
 * @param attached all states that have not finished
 * @param input the begin and end of the packets of all pipelines
 * @param counts of the source, if it counts its packets by their times
 * @param first runs an action on the results' thread before any later row; for any thread
 */
record EngineContext(
        EngineOptions options,
        NativeAllocator allocator,
        NativeAllocator states,
        Account account,
        List<Pipeline> pipelines,
        PipelineRunner runner,
        Consumer<ClosedWindow> results,
        AttachedStates attached,
        InputSpan input,
        Optional<SourceCounts> counts,
        Consumer<Runnable> first) {

    /**
     * Returns the time from which a query that is attached now has all packets. Any cache has
     * released older ones by then. It is MIN_VALUE before the first watermark.
     */
    long completeFromNs() {
        return WindowEnds.plus(passedNs(), options.delayNs());
    }

    /**
     * Returns the latest time that any pipeline has passed; MIN_VALUE before the first watermark.
     */
    long passedNs() {
        long latest = Long.MIN_VALUE;
        for (Pipeline pipeline : pipelines) {
            latest = Math.max(latest, pipeline.watermarkNs());
        }
        return latest;
    }
}
