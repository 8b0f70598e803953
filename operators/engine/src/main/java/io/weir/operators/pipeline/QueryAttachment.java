package io.weir.operators.pipeline;

/** Runs over the blocks of a pipeline: one query's state there. The pipeline's thread only. */
public interface QueryAttachment {
    /**
     * Is called before the first block that it runs over.
     *
     * @param watermarkNs of the blocks before; MIN_VALUE if there was none
     */
    default void begin(long watermarkNs) {}

    /**
     * Takes a run of GPVs of one layout; see {@link io.weir.operators.gpv.BlockLayout}.
     *
     * @param address of the first GPV
     * @param packets of all GPVs together
     * @param cameNs for packets that windows leave out: the newest time of their source when they
     *     came
     */
    void segment(
            int layoutId,
            int flags,
            int nodeSymbol,
            long address,
            int gpvs,
            int packets,
            long cameNs);

    /**
     * Packets are lost, and the source knows their times. Is called before {@link #advance} of the
     * same block.
     *
     * @param timeNs their time, to 10 ms; of late ones, the newest time of their source when they
     *     came
     * @param late whether windows would have left them out
     */
    default void lost(long timeNs, long packets, boolean late) {}

    /**
     * Is called after the segments of each block.
     *
     * @param lostPackets how many more packets are lost since the last call, of unknown time
     */
    void advance(long watermarkNs, long lostPackets);

    /** Is called last: the input has ended, or this was detached. */
    void finish();
}
