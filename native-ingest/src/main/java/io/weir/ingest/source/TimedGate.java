package io.weir.ingest.source;

import io.weir.operators.merge.PacketCounts;

/** Counts packets by their times. The reader's thread; the counts are for any. */
abstract class TimedGate implements PacketGate, PacketCounts {
    final PacketTimes times = new PacketTimes();

    @Override
    public final long before(long timeNs) {
        return times.before(timeNs);
    }

    @Override
    public final long afterAllNs() {
        return times.afterAllNs();
    }
}
