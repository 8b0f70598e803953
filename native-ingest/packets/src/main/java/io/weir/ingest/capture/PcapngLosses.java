package io.weir.ingest.capture;

import io.weir.operators.memory.Memory;
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
    private static final int OPTION_END = 0;
    private static final int OPTION_DROP_COUNT = 4;
    private static final int OPTION_INTERFACE_DROPS = 5;
    private static final int OPTION_SYSTEM_DROPS = 7;
    private static final int COUNT_BYTES = 8;

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
        long dropped = option(OPTION_INTERFACE_DROPS, options, end, swapped);
        long more = option(OPTION_SYSTEM_DROPS, options, end, swapped);
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
        packet(index, option(OPTION_DROP_COUNT, options, end, swapped));
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

    /** Returns the value of an option of 64 bits; 0 if it is missing. */
    private static long option(int wanted, long options, long end, boolean swapped) {
        long at = options;
        while (at + 4 <= end) {
            int code = half(at, swapped);
            int length = half(at + 2, swapped);
            if (code == OPTION_END || at + 4 + length > end) {
                return 0;
            }
            if (code == wanted && length == COUNT_BYTES) {
                long value = Memory.getLong(at + 4);
                return swapped ? Long.reverseBytes(value) : value;
            }
            at += 4 + (length + 3 & -4);
        }
        return 0;
    }

    private static int half(long address, boolean swapped) {
        short half = Memory.getShort(address);
        return (swapped ? Short.reverseBytes(half) : half) & 0xFFFF;
    }
}
