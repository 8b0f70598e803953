package io.weir.ingest.source;

import io.weir.ingest.decode.PacketHeaders;

/** Decides which packets of a capture a reader takes. The reader's thread; no allocation. */
@FunctionalInterface
public interface PacketGate {
    /** The packet is read. */
    int TAKEN = 0;

    /** It belongs to another reader. */
    int OTHERS = 1;

    /** It belonged to another reader when that one still read. */
    int BEFORE = 2;

    /** The queries are not known yet. */
    int NO_CATALOG = 3;

    /** Everything is read, and nothing counted. */
    PacketGate ALL =
            new PacketGate() {
                @Override
                public int verdict(PacketHeaders headers, long timeNs, boolean late) {
                    return TAKEN;
                }

                @Override
                public long bucketNs() {
                    return Long.MAX_VALUE;
                }
            };

    /**
     * @param timeNs its own time; for a packet that windows leave out, the newest time of its
     *     source
     * @param late whether windows leave it out
     */
    int verdict(PacketHeaders headers, long timeNs, boolean late);

    /**
     * Returns the width of times that it counts packets by, if it takes all packets in time; 0 if
     * that depends on their headers.
     */
    default long bucketNs() {
        return 0;
    }

    /**
     * Takes packets in time, as {@link #verdict} does one by one, before they reach a ring.
     *
     * @param timeNs a time in their bucket
     */
    default void take(long timeNs, long packets) {}

    /**
     * Takes packets that the input reports as lost before they came into it.
     *
     * @param tsNs the reader's watermark, at most
     * @return how many of them this reader reports; others report the rest
     */
    default long lost(long tsNs, long packets) {
        return packets;
    }
}
