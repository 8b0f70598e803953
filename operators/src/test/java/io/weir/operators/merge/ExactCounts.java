package io.weir.operators.merge;

/** So many packets in each second, of which none is uncertain. */
final class ExactCounts implements PacketCounts {
    private final int[] packets;

    ExactCounts(int[] packets) {
        this.packets = packets;
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
    public long fromNs() {
        return Long.MIN_VALUE;
    }
}
