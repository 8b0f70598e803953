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
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * What an engine's queries run on.
 *
 * @param allocator for all but open windows
 * @param states for open windows: leaves room for what is made of those that close
 * @param handovers one for each pipeline
 * @param resultsTurn see {@link Crew#resultsTurn}
 * @param results where windows go that close on the results' thread itself
 * @param attached all states that have not finished; a set for any thread
 * @param input when the packets of all pipelines begin and end
 * @param counts of the source, where it counts its packets by their times
 * @param overflowed told by a pipeline's thread of a crowd that must fail
 */
record Lanes(
        EngineOptions options,
        NativeAllocator allocator,
        NativeAllocator states,
        Account account,
        List<Pipeline> pipelines,
        List<Handover> handovers,
        Supplier<Runnable> resultsTurn,
        Consumer<ClosedWindow> results,
        Set<AttachedQuery> attached,
        InputSpan input,
        Optional<SourceCounts> counts,
        Consumer<Crowd> overflowed) {

    /**
     * The time from which a query has all packets that is attached now: the latest that any cache
     * can have let go of a packet; MIN_VALUE before the first watermark.
     */
    long completeFromNs() {
        return WindowEnds.plus(passedNs(), options.delayNs());
    }

    /** The latest that any pipeline has passed; MIN_VALUE before the first watermark. */
    long passedNs() {
        long latest = Long.MIN_VALUE;
        for (Pipeline pipeline : pipelines) {
            latest = Math.max(latest, pipeline.watermarkNs());
        }
        return latest;
    }
}
