package io.weir.operators.pipeline;

/** What runs over the blocks of a pipeline: one query's state there. The pipeline's thread only. */
public interface Attached {
    /**
     * Before the first block that it runs over.
     *
     * @param watermarkNs of the blocks before; MIN_VALUE where there was none
     */
    default void begin(long watermarkNs) {}

    /**
     * A run of GPVs of one layout; see {@link io.weir.operators.gpv.BlockLayout}.
     *
     * @param address of the first GPV
     * @param packets of all GPVs together
     * @param cameNs of packets that windows leave out: the newest time of their source when they
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
     * After the segments of each block.
     *
     * @param lostPackets how many more packets are known lost since the call before
     */
    void advance(long watermarkNs, long lostPackets);

    /** The last call: the input has ended, or this was detached. */
    void finish();
}
