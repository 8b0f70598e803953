package io.weir.operators.merge;

import io.weir.operators.result.SourceCounts;

/**
 * How many packets a source has had, by their times, so that what it tells of its windows adds up
 * to them, over its lives too. Any thread, about times that the source's watermark has passed.
 */
public interface PacketCounts extends SourceCounts {
    /** A source whose lives cannot know of each other. */
    long NO_LEDGER = 0;

    /** Packets in time of before this time: of this life, or of all, where it goes on. */
    @Override
    long before(long timeNs);

    /** A time after the newest packet; {@link Long#MIN_VALUE} before the first. */
    long afterAllNs();

    /**
     * Whether {@link #before} counts the packets of lives before by their times, too, as of a slice
     * of a capture that others have read as well.
     */
    boolean goesOn();

    /** Packets before this time were another's; {@link Long#MIN_VALUE} where there was none. */
    default long fromNs() {
        return Long.MIN_VALUE;
    }

    /** What lives have in common that know how many packets those before them have had. */
    default long ledger() {
        return NO_LEDGER;
    }

    /** Packets of the ledger's lives before this one, whenever those were. */
    default long earlier() {
        return 0;
    }
}
