package io.weir.operators.node;

import io.weir.operators.account.Account;
import io.weir.operators.error.WeirException;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.pipeline.Pipeline;
import io.weir.operators.ring.BlockRing;
import io.weir.operators.ring.BlockWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The rings of an engine. Each has a writer, and a pipeline that reads it. If the results have a
 * thread of their own, each pipeline has a queue for the windows that it closes.
 */
final class EngineRings implements AutoCloseable {
    final List<Pipeline> pipelines = new CopyOnWriteArrayList<>();
    final List<WindowQueue> queues = new CopyOnWriteArrayList<>();

    /** One for each pipeline; empty until {@link #writtenFor}. */
    final List<BlockWriter> writers = new CopyOnWriteArrayList<>();

    private final EngineOptions options;
    private final NativeAllocator allocator;
    private final Account account;
    private final Failure why;
    private final List<BlockRing> rings = new ArrayList<>();

    /** Makes rings and pipelines. */
    EngineRings(EngineOptions options, NativeAllocator allocator, Account account, Failure why) {
        this.options = options;
        this.allocator = allocator;
        this.account = account;
        this.why = why;
        for (int p = 0; p < options.rings(); p++) {
            add(Long.MIN_VALUE);
        }
    }

    private void add(long passedNs) {
        BlockRing ring = new BlockRing(allocator, options.bounds().ringBytes());
        rings.add(ring);
        if (!options.isInline()) {
            queues.add(new WindowQueue(options.threads().idle().strategy(), why));
        }
        pipelines.add(new Pipeline(ring, account, passedNs));
    }

    /** Makes the writers, which wait as the runner tells them. */
    void writtenFor(PipelineRunner runner) {
        for (int p = writers.size(); p < rings.size(); p++) {
            writers.add(
                    new BlockWriter(
                            rings.get(p),
                            p / options.ringsOfPartition(),
                            options.bounds().blockBytes(),
                            runner.backpressure(p)));
        }
    }

    /** Adds a ring while others are at work. */
    private void add(long passedNs, PipelineRunner runner) {
        add(passedNs);
        writtenFor(runner);
        writers.get(writers.size() - 1).watermark(passedNs);
    }

    /**
     * Adds a ring with a pipeline that runs all queries.
     *
     * @param passedNs the time that all pipelines have passed
     * @throws WeirException OUT_OF_NATIVE_MEMORY, and nothing is added
     */
    void widen(Queries queries, long passedNs, PipelineRunner runner) {
        add(passedNs, runner);
        try {
            queries.widen();
        } catch (WeirException noMemory) {
            removeLast();
            throw noMemory;
        }
        runner.start(pipelines.size() - 1);
    }

    private void removeLast() {
        int last = rings.size() - 1;
        writers.remove(last);
        pipelines.remove(last);
        queues.remove(last);
        rings.remove(last).close();
    }

    /** Frees the rings; nothing reads or writes them any more. */
    @Override
    public void close() {
        rings.forEach(BlockRing::close);
    }
}
