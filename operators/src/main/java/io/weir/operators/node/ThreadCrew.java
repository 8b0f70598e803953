package io.weir.operators.node;

import io.weir.operators.pipeline.Pipeline;
import io.weir.operators.pipeline.PipelineThread;
import io.weir.operators.ring.Backpressure;
import io.weir.operators.ring.BlockWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.agrona.concurrent.IdleStrategy;

/** A thread for each pipeline, and one for the results of all. */
final class ThreadCrew implements Crew {
    private final List<Pipeline> pipelines;
    private final List<BlockWriter> writers;
    private final List<WindowQueue> queues;
    private final ResultLoop results;
    private final Supplier<IdleStrategy> idles;
    private final Failure failure;
    private final List<PipelineThread> threads = new ArrayList<>();
    private final Thread resultsThread;
    private volatile boolean stopped;

    /**
     * @param writers one for each pipeline, filled in before {@link #start}
     * @param idles makes an idle strategy for whoever waits
     */
    ThreadCrew(
            List<Pipeline> pipelines,
            List<BlockWriter> writers,
            List<WindowQueue> queues,
            ResultLoop results,
            Supplier<IdleStrategy> idles,
            Failure failure) {
        this.pipelines = pipelines;
        this.writers = writers;
        this.queues = queues;
        this.results = results;
        this.idles = idles;
        this.failure = failure;
        for (int p = 0; p < pipelines.size(); p++) {
            threads.add(
                    new PipelineThread(
                            "pipeline-" + p, pipelines.get(p), idles.get(), failure::set));
        }
        resultsThread = new Thread(this::runResults, "results");
        resultsThread.setDaemon(true);
    }

    @Override
    public Handover handover(int p) {
        return queues.get(p);
    }

    @Override
    public Backpressure backpressure(int p) {
        IdleStrategy idle = idles.get();
        return new Backpressure() {
            @Override
            public void await() {
                failure.check();
                idle.idle();
            }

            @Override
            public void published() {
                idle.reset();
            }
        };
    }

    @Override
    public void start() {
        threads.forEach(PipelineThread::start);
        resultsThread.start();
    }

    private void runResults() {
        IdleStrategy idle = idles.get();
        try {
            while (!stopped && !results.isEnded()) {
                idle.idle(results.turn() ? 1 : 0);
            }
        } catch (Throwable broken) {
            failure.set(broken);
        }
    }

    @Override
    public void drain() {
        IdleStrategy idle = idles.get();
        for (int p = 0; p < pipelines.size(); p++) {
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
        IdleStrategy idle = idles.get();
        while (!results.isEnded()) {
            failure.check();
            idle.idle();
        }
        close();
        failure.check();
    }

    @Override
    public void close() {
        stopped = true;
        queues.forEach(WindowQueue::stop);
        threads.forEach(PipelineThread::close);
        boolean interrupted = false;
        while (resultsThread.isAlive()) {
            try {
                resultsThread.join();
            } catch (InterruptedException wait) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
