package io.weir.operators.node;

import io.weir.operators.pipeline.Pipeline;
import io.weir.operators.result.ClosedWindow;
import io.weir.operators.ring.Backpressure;
import java.util.function.Consumer;

/** Runs all on the reader's thread: at each block it runs the one pipeline, and the results. */
final class InlineRunner implements PipelineRunner {
    private final Pipeline pipeline;
    private final ResultLoop results;
    private final Consumer<ClosedWindow> stage;
    private final ThreadOptions options;
    private Cpu.Binding binding = () -> {};

    InlineRunner(
            Pipeline pipeline,
            ResultLoop results,
            Consumer<ClosedWindow> stage,
            ThreadOptions options) {
        this.options = options;
        this.pipeline = pipeline;
        this.results = results;
        this.stage = stage;
    }

    @Override
    public WindowHandover handover(int p) {
        return stage::accept;
    }

    @Override
    public Backpressure backpressure(int p) {
        return new Backpressure() {
            @Override
            public void await() {
                runBlocks();
            }

            @Override
            public void published() {
                runBlocks();
            }
        };
    }

    private void runBlocks() {
        results.lock().lock();
        try {
            while (pipeline.poll(1) > 0) {
                results.turn();
            }
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
