package io.weir.cluster.counts;

import io.weir.ingest.decode.PacketHeaders;

/**
 * Counts all packets by their times, and in a ledger that outlives the process. So each is in a
 * window's count, or its worker's next process knows that it is not. Late packets are counted
 * separately, and not in the ledger, because they are in no window. The reader's thread; the counts
 * are for any.
 */
public final class CountingGate extends TimedGate {
    private final PacketLedger ledger;
    private final boolean shared;

    /**
     * @param latenessNs of the source
     */
    public CountingGate(PacketLedger ledger, long latenessNs) {
        this(ledger, latenessNs, false);
    }

    private CountingGate(PacketLedger ledger, long latenessNs, boolean shared) {
        super(latenessNs);
        this.ledger = ledger;
        this.shared = shared;
    }

    /** Makes the gate of one reader of several, which have one ledger. */
    public static CountingGate shared(PacketLedger ledger, long latenessNs) {
        return new CountingGate(ledger, latenessNs, true);
    }

    private void note(long packets) {
        if (shared) {
            ledger.addShared(packets);
        } else {
            ledger.add(packets);
        }
    }

    @Override
    public int verdict(PacketHeaders headers, long timeNs, boolean late) {
        if (!late) {
            note(1); // first: what is in a window is in the ledger
        }
        count(timeNs, late);
        return TAKEN;
    }

    @Override
    public long bucketNs() {
        return exactNs();
    }

    @Override
    public void take(long timeNs, long packets) {
        note(packets);
        count(timeNs, packets);
    }

    @Override
    public long lost(long tsNs, long packets) {
        take(tsNs, packets);
        return packets;
    }

    @Override
    public boolean goesOn() {
        return false;
    }

    @Override
    public long ledger() {
        return ledger.id();
    }

    @Override
    public long earlier() {
        return ledger.earlier();
    }
}
