package io.weir.cluster.counts;

import io.weir.cluster.protocol.PacketCounts;
import io.weir.ingest.source.PacketGate;

/**
 * Counts packets by their times, and those that windows leave out by when they came. The reader's
 * thread; the counts are for any.
 */
public abstract class TimedGate implements PacketGate, PacketCounts {
    private final PacketTimes inTime;
    private final PacketTimes late;

    /**
     * @param latenessNs of the source
     */
    TimedGate(long latenessNs) {
        inTime = new PacketTimes(latenessNs);
        late = new PacketTimes(latenessNs);
    }

    /** Counts are exact at multiples of this. */
    final long exactNs() {
        return inTime.bucketNs();
    }

    final void count(long timeNs, boolean isLate) {
        (isLate ? late : inTime).add(timeNs);
    }

    /** Counts packets in time. Lost packets are such, so that windows add up. */
    final void count(long timeNs, long packets) {
        inTime.add(timeNs, packets);
    }

    @Override
    public final long before(long timeNs) {
        return inTime.before(timeNs);
    }

    @Override
    public final long lateBefore(long timeNs) {
        return late.before(timeNs);
    }

    @Override
    public final long afterAllNs() {
        return inTime.afterAllNs();
    }
}
