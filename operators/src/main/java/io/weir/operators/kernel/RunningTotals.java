package io.weir.operators.kernel;

/**
 * Totals without a window that are emitted EMIT EVERY tick: adds up the changes of each tick, after
 * the pipelines' partials were merged. One thread at a time.
 */
@SuppressWarnings("DoNotCallSuggester")
public final class RunningTotals implements AutoCloseable {
    RunningTotals() {}

    /**
     * Adds a tick's changes and turns them, in place, into the new totals of the groups that
     * changed.
     */
    public Partial add(Partial changes) {
        throw new UnsupportedOperationException("in the next slice");
    }

    /** Groups that there was no room for. */
    public long groupsLost() {
        throw new UnsupportedOperationException("in the next slice");
    }

    @Override
    public void close() {
        throw new UnsupportedOperationException("in the next slice");
    }
}
