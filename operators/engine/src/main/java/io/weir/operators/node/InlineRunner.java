package io.weir.operators.node;

import io.weir.operators.pipeline.Pipeline;
import io.weir.operators.result.ClosedWindow;
import io.weir.operators.ring.Backpressure;
import io.weir.operators.ring.BlockWriter;
import io.weir.operators.ring.OwnPipelines;
import java.util.List;
import java.util.function.Consumer;

/**
 * Runs all on the reader's thread. The reader calls {@link #poll} between two steps of its source;
 * that runs the one pipeline, and the results, over all blocks of the step.
 */
final class InlineRunner implements PipelineRunner {
    private final Pipeline pipeline;
    private final List<BlockWriter> writers;
    private final ResultLoop results;
    private final Consumer<ClosedWindow> stage;
    private final ThreadOptions options;
    private Cpu.Binding binding = () -> {};

    /**
     * @param rings one ring
     */
    InlineRunner(
            EngineRings rings,
            ResultLoop results,
            Consumer<ClosedWindow> stage,
            ThreadOptions options) {
        this.options = options;
        pipeline = rings.pipelines.get(0);
        writers = rings.writers;
        this.results = results;
        this.stage = stage;
    }

    @Override
    public WindowHandover handover(int p) {
        return stage::accept;
    }

    @Override
    public Backpressure backpressure(int p) {
        return () -> {
            throw PipelineRunner.tooLargeStep();
        };
    }

    @Override
    public void poll() {
        if (hasBlocks()) {
            runBlocks();
        }
    }

    private boolean hasBlocks() {
        return pipeline.consumedBlocks() < writers.get(0).publishedBlocks();
    }

    private void runBlocks() {
        results.lock().lock();
        try {
            do {
                if (pipeline.poll(1) > 0) {
                    results.turn();
                }
            } while (hasBlocks());
        } finally {
            results.lock().unlock();
        }
    }

    @Override
    public Runnable resultsTurn() {
        return null;
    }

    @Override
    public void start() {
        binding = options.pin(0);
    }

    @Override
    public void start(int p) {
        throw new IllegalStateException("the reader's thread runs one pipeline");
    }

    @Override
    public OwnPipelines own(int first, int count) {
        return OwnPipelines.NONE; // the reader polls
    }

    @Override
    public void drain() {
        runBlocks();
        results.request();
        results.turn();
    }

    @Override
    public void awaitEnd() {
        drain();
        if (!results.isEnded()) {
            throw new IllegalStateException("awaitEnd before the writer's end");
        }
    }

    @Override
    public void close() {
        binding.close();
        binding = () -> {};
    }
}
