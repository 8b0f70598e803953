package io.weir.operators.kernel;

import io.weir.operators.result.RowBatch;

/** One query activation on one pipeline: its open windows. Owned by that pipeline's thread. */
@SuppressWarnings("DoNotCallSuggester")
public final class QueryState implements AutoCloseable {
    QueryState() {}

    /**
     * Runs the query over a segment of a block.
     *
     * @param flags the segment's, of {@link io.weir.operators.gpv.BlockLayout}
     * @param nodeSymbol the block's node
     * @param address of the first GPV
     */
    public void segment(int layoutId, int flags, int nodeSymbol, long address, int gpvs) {
        throw new UnsupportedOperationException("in the next slice");
    }

    /** Runs the query over another query's rows; the batch stays the caller's. */
    public void rows(RowBatch batch) {
        throw new UnsupportedOperationException("in the next slice");
    }

    /** Closes each window that ends at or before the watermark, in order, through the sink. */
    public void advance(long watermarkNs) {
        throw new UnsupportedOperationException("in the next slice");
    }

    /** The end of the input or of the activation: closes all that is open, through the sink. */
    public void finish() {
        throw new UnsupportedOperationException("in the next slice");
    }

    /** Packets (or rows) that ran through the query, whether or not its filter took them. */
    public long packetsProcessed() {
        return 0;
    }

    /** Packets left out because their window was closed. */
    public long packetsLate() {
        return 0;
    }

    /** Packets lost because the state's bound was reached. */
    public long packetsStateFull() {
        return 0;
    }

    /** Packets outside the gate. */
    public long packetsInactive() {
        return 0;
    }

    public long stateBytes() {
        return 0;
    }

    /** Frees what is open, unseen. */
    @Override
    public void close() {}
}
