package io.weir.cluster.counts;

import io.weir.ingest.decode.PacketHeaders;

/** Lets all packets in, and counts them by their times. The reader's thread; counts are for any. */
public final class OpenGate extends TimedGate {
    /**
     * @param latenessNs of the source
     */
    public OpenGate(long latenessNs) {
        super(latenessNs);
    }

    @Override
    public int verdict(PacketHeaders headers, long timeNs, boolean late) {
        count(timeNs, late);
        return TAKEN;
    }

    @Override
    public long bucketNs() {
        return exactNs();
    }

    @Override
    public void take(long timeNs, long packets) {
        count(timeNs, packets);
    }

    @Override
    public long lost(long tsNs, long packets) {
        count(tsNs, packets);
        return packets;
    }

    @Override
    public boolean goesOn() {
        return false;
    }
}
