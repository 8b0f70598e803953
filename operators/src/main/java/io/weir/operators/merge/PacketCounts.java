package io.weir.operators.merge;

/**
 * How many packets a source has had, by their times and since it began for the first time, whoever
 * counted them: so that a successor can say what is missing between what was sent and what it
 * sends. Any thread, about times that the source's watermark has passed.
 */
public interface PacketCounts {
    /** Packets whose time is before this one. */
    long before(long timeNs);

    /** Packets before this time were another's; {@link Long#MIN_VALUE} where there was none. */
    long fromNs();
}
