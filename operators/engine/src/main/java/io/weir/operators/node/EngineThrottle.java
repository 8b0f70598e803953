package io.weir.operators.node;

import io.weir.operators.ring.SourceThrottle;

/**
 * Tells the reader which time must be settled. {@code holdAtNs} changes only in {@link #settle}. So
 * a run settles at the same times, whatever its threads do. The reader's thread.
 */
final class EngineThrottle implements SourceThrottle {
    private final Runnable drain;
    private final ResultLoop results;
    private long holdAtNs;

    /**
     * @param drain returns when all published blocks, and the windows that they closed, are
     *     processed
     */
    EngineThrottle(Runnable drain, ResultLoop results, long firstHoldAtNs) {
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
