package io.weir.operators.node;

import io.weir.operators.pipeline.Pace;

/**
 * The reader's view of what must be settled. {@code holdAtNs} changes in {@link #settle} only, so
 * that a run asks for the same settlements whatever its threads do. The reader's thread.
 */
final class EnginePace implements Pace {
    private final Runnable drain;
    private final ResultLoop results;
    private long holdAtNs;

    /**
     * @param drain returns when all published blocks, and what they closed, are done with
     */
    EnginePace(Runnable drain, ResultLoop results, long firstHoldAtNs) {
        this.drain = drain;
        this.results = results;
        this.holdAtNs = firstHoldAtNs;
    }

    @Override
    public long holdAtNs() {
        return holdAtNs;
    }

    @Override
    public void settle() {
        drain.run();
        holdAtNs = results.holdAtNs();
    }
}
