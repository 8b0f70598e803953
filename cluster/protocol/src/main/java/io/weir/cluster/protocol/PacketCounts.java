package io.weir.cluster.protocol;

import io.weir.operators.result.SourceCounts;

/**
 * The number of a source's packets by their times. So its reports on windows add up, over its
 * processes too. Any thread may ask, for times that the source's watermark has passed.
 */
public interface PacketCounts extends SourceCounts {
    /** The ledger of a source whose processes cannot know of each other. */
    long NO_LEDGER = 0;

    /** Returns the packets in time before this time: of this process, or of all, if it goes on. */
    @Override
    long before(long timeNs);

    /** Returns a time after the newest packet; {@link Long#MIN_VALUE} before the first. */
    long afterAllNs();

    /**
     * Returns whether {@link #before} also counts the packets of earlier processes by their times.
     * A slice of a capture does, which others have read as well.
     */
    boolean goesOn();

    /**
     * Returns the time before which packets belonged to another process; {@link Long#MIN_VALUE} if
     * there was none.
     */
    default long fromNs() {
        return Long.MIN_VALUE;
    }

    /**
     * Returns the ledger: processes with the same one know how many packets their predecessors have
     * had.
     */
    default long ledger() {
        return NO_LEDGER;
    }

    /** Returns the packets of the ledger's earlier processes, whenever those were. */
    default long earlier() {
        return 0;
    }
}
