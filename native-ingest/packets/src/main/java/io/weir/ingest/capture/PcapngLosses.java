package io.weir.ingest.capture;

import java.util.Arrays;

/**
 * Counts packets that a pcapng capture reports as lost before they reached it. A statistics block
 * has the totals of an interface since its section began: dropped by the interface ({@code
 * isb_ifdrop}) and by the operating system ({@code isb_osdrop}). A packet block has the number lost
 * since the packet before ({@code epb_dropcount}). Both report the same packets, so the larger sum
 * counts.
 *
 * <p>Packets that a filter left out ({@code isb_filteraccept}) are no loss.
 */
final class PcapngLosses {
    private static final int OPTION_DROP_COUNT = 4;
    private static final int OPTION_INTERFACE_DROPS = 5;
    private static final int OPTION_SYSTEM_DROPS = 7;

    /** An interface that reports more in one section is not believed. */
    private static final long MOST = 1L << 40;

    /**
     * The counts by interface: in the latest statistics, in packets, and those that were counted.
     */
    private long[] bySystem = new long[4];

    private long[] byPackets = new long[4];
    private long[] counted = new long[4];
    private long total;
    private long impossible;

    /** Begins a section. The counts of its interfaces begin again. */
    void section() {
        Arrays.fill(bySystem, 0);
        Arrays.fill(byPackets, 0);
        Arrays.fill(counted, 0);
    }

    /** Returns the total of all sections so far. */
    long total() {
        return total;
    }

    /** Returns the number of counts that were too large, or of unknown interfaces. */
    long impossible() {
        return impossible;
    }

    /** Reads a statistics block's options. */
    void statistics(int index, int interfaces, long options, long end, boolean swapped) {
        long dropped = PcapngOptions.ofLong(OPTION_INTERFACE_DROPS, options, end, swapped);
        long more = PcapngOptions.ofLong(OPTION_SYSTEM_DROPS, options, end, swapped);
        boolean known = Integer.compareUnsigned(index, interfaces) < 0;
        if (!known || isImpossible(dropped) || isImpossible(more)) {
            impossible++;
            return;
        }
        grow(index);
        bySystem[index] = dropped + more;
        count(index);
    }

    /** Reads the options of an enhanced packet block. */
    void packet(int index, long options, long end, boolean swapped) {
        packet(index, PcapngOptions.ofLong(OPTION_DROP_COUNT, options, end, swapped));
    }

    /**
     * @param lost since the packet before on this interface
     */
    void packet(int index, long lost) {
        if (lost == 0) {
            return;
        }
        grow(index);
        if (isImpossible(lost) || isImpossible(byPackets[index] + lost)) {
            impossible++;
            return;
        }
        byPackets[index] += lost;
        count(index);
    }

    private static boolean isImpossible(long lost) {
        return lost < 0 || lost > MOST;
    }

    private void count(int index) {
        long now = Math.max(bySystem[index], byPackets[index]);
        if (now > counted[index]) {
            total += now - counted[index];
            counted[index] = now;
        }
    }

    private void grow(int index) {
        if (index >= counted.length) {
            int length = Math.max(index + 1, 2 * counted.length);
            bySystem = Arrays.copyOf(bySystem, length);
            byPackets = Arrays.copyOf(byPackets, length);
            counted = Arrays.copyOf(counted, length);
        }
    }
}
