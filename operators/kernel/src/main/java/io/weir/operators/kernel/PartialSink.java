package io.weir.operators.kernel;

/** Takes the closed windows of a pipeline's query. */
public interface PartialSink {
    /**
     * Takes over a closed window's groups. It is called on the pipeline's thread, in order of
     * {@code windowEndNs}. Windows without a counted packet do not come.
     *
     * @param windowStartNs {@link Long#MIN_VALUE} for totals
     * @param windowEndNs {@link Long#MAX_VALUE} for totals at the end; for a tick its end; for rows
     *     without a window the end of their second
     */
    void closed(QueryState state, long windowStartNs, long windowEndNs, Partial partial);
}
