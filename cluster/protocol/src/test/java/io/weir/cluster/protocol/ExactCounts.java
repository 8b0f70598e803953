package io.weir.cluster.protocol;

/** So many packets in each second, of which none is uncertain. */
final class ExactCounts implements PacketCounts {
    private final int[] packets;
    private final boolean goesOn;
    private final long ledger;
    private final long earlier;

    /** Of a slice, which nobody had before. */
    ExactCounts(int[] packets) {
        this(packets, true, NO_LEDGER, 0);
    }

    private ExactCounts(int[] packets, boolean goesOn, long ledger, long earlier) {
        this.packets = packets;
        this.goesOn = goesOn;
        this.ledger = ledger;
        this.earlier = earlier;
    }

    /** Of a life after others that have had so many packets. */
    static ExactCounts after(long ledger, long earlier, int[] packets) {
        return new ExactCounts(packets, false, ledger, earlier);
    }

    @Override
    public long before(long timeNs) {
        long before = 0;
        for (int second = 0; second < packets.length; second++) {
            before += second * TinySource.SECOND_NS < timeNs ? packets[second] : 0;
        }
        return before;
    }

    @Override
    public long lateBefore(long timeNs) {
        return 0;
    }

    @Override
    public long afterAllNs() {
        return packets.length * TinySource.SECOND_NS;
    }

    @Override
    public boolean goesOn() {
        return goesOn;
    }

    @Override
    public long ledger() {
        return ledger;
    }

    @Override
    public long earlier() {
        return earlier;
    }
}
