package io.weir.cluster.counts;

import io.weir.ingest.decode.PacketHeaders;
import io.weir.operators.map.Hash;

/**
 * One slice of a capture. It takes the packets whose source and destination addresses hash to it,
 * so a group by both addresses is in one slice. The owner before has counted those before a time.
 * Both are counted by time. The reader's thread; the counts are for any.
 */
public final class SliceGate extends TimedGate {
    private final int slice;
    private final int slices;
    private final long fromNs;

    /**
     * @param latenessNs of the source
     * @param fromNs the slice was counted up to there by others; {@link Long#MIN_VALUE}: by nobody
     */
    public SliceGate(int slice, int slices, long fromNs, long latenessNs) {
        super(latenessNs);
        this.slice = slice;
        this.slices = slices;
        // Counts are exact there. Windows that end before it were counted whole.
        this.fromNs =
                fromNs == Long.MIN_VALUE || fromNs == Long.MAX_VALUE
                        ? fromNs
                        : Math.floorDiv(fromNs, exactNs()) * exactNs();
    }

    @Override
    public int verdict(PacketHeaders headers, long timeNs, boolean late) {
        if (Hash.bucket(hash(headers), slices) != slice) {
            return OTHERS;
        }
        count(timeNs, late);
        return timeNs < fromNs ? BEFORE : TAKEN;
    }

    /** All slices hear of it: the first tells, unless who had it before has. */
    @Override
    public long lost(long tsNs, long packets) {
        if (slice != 0) {
            return 0;
        }
        count(tsNs, packets);
        return tsNs < fromNs ? 0 : packets;
    }

    private static long hash(PacketHeaders headers) {
        long hash = Hash.of(headers.srcHigh, headers.srcLow);
        return Hash.mix(Hash.mix(hash, headers.dstHigh), headers.dstLow);
    }

    @Override
    public boolean goesOn() {
        return true;
    }

    @Override
    public long fromNs() {
        return fromNs;
    }
}
