package io.weir.operators.kernel;

/** Where the closed windows of a pipeline's query go. */
public interface PartialSink {
    /**
     * Takes over a closed window's groups; called on the pipeline's thread, in order of {@code
     * windowEndNs}. Windows in which nothing was counted do not come.
     *
     * @param windowStartNs {@link Long#MIN_VALUE} for totals
     * @param windowEndNs {@link Long#MAX_VALUE} for totals at the end; of a tick its end; of rows
     *     without a window the end of their second
     */
    void closed(QueryState state, long windowStartNs, long windowEndNs, Partial partial);
}
