package io.weir.operators.node;

import io.weir.operators.error.WeirException;
import io.weir.operators.pipeline.Pipeline;
import io.weir.operators.ring.OwnPipelines;
import java.util.List;

/**
 * The pipelines behind one reader's rings, which run on that reader's thread. Nothing is handed
 * over between threads before a window closes. The reader's thread; if it has none, the thread that
 * writes to its rings.
 */
final class RunToCompletion implements OwnPipelines {
    private static final int BLOCKS_A_POLL = 4;

    private final Pipeline[] pipelines;
    private final int first;
    private final ThreadOptions options;
    private final Failure failure;

    /**
     * @param first the number of the first of its rings
     */
    RunToCompletion(List<Pipeline> pipelines, int first, ThreadOptions options, Failure failure) {
        this.pipelines = pipelines.toArray(Pipeline[]::new);
        this.first = first;
        this.options = options;
        this.failure = failure;
    }

    @Override
    public void begin() {
        try {
            options.pin(first); // as long as the thread lives
        } catch (WeirException refused) {
            failure.set(refused);
        }
    }

    @Override
    public void run() {
        try {
            for (Pipeline pipeline : pipelines) {
                run(pipeline);
            }
        } catch (RuntimeException | Error broken) {
            failure.set(broken); // its windows are wrong, and so is the engine
            throw broken;
        }
    }

    private static void run(Pipeline pipeline) {
        int blocks = BLOCKS_A_POLL;
        while (blocks > 0 && !pipeline.isEnded()) {
            blocks = pipeline.poll(BLOCKS_A_POLL);
        }
    }
}
