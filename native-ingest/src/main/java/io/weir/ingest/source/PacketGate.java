package io.weir.ingest.source;

import io.weir.ingest.decode.PacketHeaders;

/** Which packets of a capture a reader takes. The reader's thread; no allocation. */
@FunctionalInterface
public interface PacketGate {
    /** The packet is read. */
    int TAKEN = 0;

    /** It belongs to another reader. */
    int OTHERS = 1;

    /** It was another's when that still read. */
    int BEFORE = 2;

    /** Nobody knows yet which queries there are. */
    int NO_CATALOG = 3;

    /** Everything is read, and nothing counted. */
    PacketGate ALL = (headers, timeNs, late) -> TAKEN;

    /**
     * @param timeNs its own time; of a packet that windows leave out, the newest time of its source
     * @param late whether windows leave it out
     */
    int verdict(PacketHeaders headers, long timeNs, boolean late);

    /**
     * Packets that the input says were lost before they came into it.
     *
     * @param tsNs the reader's watermark, at most
     * @return how many of them this reader tells; others tell the rest
     */
    default long lost(long tsNs, long packets) {
        return packets;
    }
}
