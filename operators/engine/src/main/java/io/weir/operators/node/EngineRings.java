package io.weir.operators.node;

import io.weir.operators.account.Account;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.pipeline.Pipeline;
import io.weir.operators.ring.BlockRing;
import io.weir.operators.ring.BlockWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * The rings of an engine. Each has a writer, and a pipeline that reads it. If the results have a
 * thread of their own, each pipeline has a queue for the windows that it closes.
 */
final class EngineRings implements AutoCloseable {
    final List<Pipeline> pipelines = new ArrayList<>();
    final List<WindowQueue> queues = new ArrayList<>();

    /** One for each pipeline; empty until {@link #writtenFor}. */
    final List<BlockWriter> writers = new ArrayList<>();

    private final EngineOptions options;
    private final List<BlockRing> rings = new ArrayList<>();

    /** Makes rings and pipelines. */
    EngineRings(EngineOptions options, NativeAllocator allocator, Account account, Failure why) {
        this.options = options;
        for (int p = 0; p < options.rings(); p++) {
            BlockRing ring = new BlockRing(allocator, options.bounds().ringBytes());
            rings.add(ring);
            pipelines.add(new Pipeline(ring, account));
            if (!options.isInline()) {
                queues.add(new WindowQueue(options.threads().idle().strategy(), why));
            }
        }
    }

    /** Makes the writers, which wait as the runner tells them. */
    void writtenFor(PipelineRunner runner) {
        for (int p = 0; p < rings.size(); p++) {
            writers.add(
                    new BlockWriter(
                            rings.get(p),
                            p / options.pipelines(),
                            options.bounds().blockBytes(),
                            runner.backpressure(p)));
        }
    }

    /** Frees the rings; nothing reads or writes them any more. */
    @Override
    public void close() {
        rings.forEach(BlockRing::close);
    }
}
