package io.weir.operators.node;

import io.weir.operators.pipeline.Pipeline;
import io.weir.operators.pipeline.PipelineThread;
import io.weir.operators.ring.Backpressure;
import io.weir.operators.ring.BlockWriter;
import io.weir.operators.ring.OwnPipelines;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.agrona.concurrent.IdleStrategy;

/**
 * Runs each pipeline on its own thread, and the results on another. A single pipeline uses the
 * reader's thread, unless that only reads. Or each reader of several runs its own pipelines.
 */
final class ThreadedRunner implements PipelineRunner {
    private final List<Pipeline> pipelines;
    private final List<BlockWriter> writers;
    private final List<WindowQueue> queues;
    private final ResultLoop results;
    private final ThreadOptions options;
    private final Failure failure;
    private final boolean readerRuns;
    private final boolean readersRun;
    private final List<PipelineThread> threads = new CopyOnWriteArrayList<>();
    private final ResultsThread resultsThread;
    private final CountDownLatch placed;
    private Cpu.Binding binding = () -> {};

    ThreadedRunner(EngineRings rings, ResultLoop results, ThreadOptions options, Failure failure) {
        pipelines = rings.pipelines;
        writers = rings.writers;
        queues = rings.queues;
        this.results = results;
        this.options = options;
        this.failure = failure;
        readersRun = options.pipelines() == PipelineThreads.NEVER;
        readerRuns = pipelines.size() == 1 && options.pipelines() == PipelineThreads.FOR_SEVERAL;
        for (int p = 0; p < pipelines.size() && !readerRuns && !readersRun; p++) {
            threads.add(thread(p));
        }
        placed = new CountDownLatch(threads.size());
        resultsThread = new ResultsThread(results, options.idle().strategy(), failure);
    }

    private PipelineThread thread(int p) {
        return new PipelineThread(
                "pipeline-" + p,
                pipelines.get(p),
                options.idle().strategy(),
                () -> place(p),
                failure::set);
    }

    private void place(int p) {
        try {
            options.pin(p);
        } finally {
            placed.countDown();
        }
    }

    @Override
    public WindowHandover handover(int p) {
        return queues.get(p);
    }

    @Override
    public Backpressure backpressure(int p) {
        IdleStrategy idle = options.idle().strategy();
        return new Backpressure() {
            @Override
            public void await() {
                failure.check();
                if (readerRuns || readersRun) {
                    throw PipelineRunner.tooLargeStep();
                }
                idle.idle();
            }

            @Override
            public void resumed() {
                idle.reset();
            }

            @Override
            public void refused() {
                failure.check();
            }
        };
    }

    @Override
    public Runnable resultsTurn() {
        IdleStrategy idle = options.idle().strategy();
        return () -> {
            long request = results.request();
            idle.reset();
            // Without results, windows are freed when they are handed over.
            while (results.served() < request && !failure.isSet()) {
                idle.idle();
            }
        };
    }

    @Override
    public void poll() {
        failure.check();
        if (readerRuns && hasBlocks()) {
            runBlocks();
        }
    }

    @Override
    public OwnPipelines own(int first, int count) {
        return readersRun
                ? new RunToCompletion(
                        pipelines.subList(first, first + count), first, options, failure)
                : OwnPipelines.NONE;
    }

    private boolean hasBlocks() {
        return pipelines.get(0).consumedBlocks() < writers.get(0).publishedBlocks();
    }

    private void runBlocks() {
        do {
            pipelines.get(0).poll(1);
            failure.check();
        } while (hasBlocks());
    }

    /** Returns when every thread is where it should be. */
    @Override
    public void start() {
        threads.forEach(PipelineThread::start);
        if (readerRuns) {
            binding = options.pin(0);
        }
        resultsThread.start();
        IdleStrategy idle = options.idle().strategy();
        while (placed.getCount() > 0) {
            idle.idle();
        }
        failure.check();
    }

    @Override
    public void start(int p) {
        if (!readersRun) {
            PipelineThread added = thread(p);
            threads.add(added);
            added.start();
        }
    }

    @Override
    public void drain() {
        if (readerRuns) {
            runBlocks();
        }
        IdleStrategy idle = options.idle().strategy();
        for (int p = 0; p < pipelines.size() && !readersRun; p++) {
            while (pipelines.get(p).consumedBlocks() < writers.get(p).publishedBlocks()) {
                failure.check();
                idle.idle();
            }
            idle.reset();
        }
        long request = results.request();
        while (results.served() < request) {
            failure.check();
            idle.idle();
        }
    }

    @Override
    public void awaitEnd() {
        if (readerRuns) {
            runBlocks();
        }
        own(0, pipelines.size()).run(); // other readers have ended
        IdleStrategy idle = options.idle().strategy();
        while (!results.isEnded()) {
            failure.check();
            idle.idle();
        }
        close();
        failure.check();
    }

    @Override
    public void close() {
        queues.forEach(WindowQueue::stop);
        threads.forEach(PipelineThread::close);
        resultsThread.close();
        binding.close();
        binding = () -> {};
    }
}
