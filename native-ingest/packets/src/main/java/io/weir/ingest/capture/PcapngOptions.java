package io.weir.ingest.capture;

import io.weir.operators.memory.Memory;

/**
 * Finds options of a pcapng block. Stateless.
 *
 * <pre>
 * option  0 code 2   2 length 2   4 value, padded to four bytes
 * </pre>
 */
final class PcapngOptions {
    private static final int END = 0;

    private PcapngOptions() {}

    /** Returns the value of an option of 64 bits; 0 if it is missing. */
    static long ofLong(int code, long options, long end, boolean swapped) {
        long at = find(code, Long.BYTES, options, end, swapped);
        long value = at == 0 ? 0 : Memory.getLong(at);
        return swapped ? Long.reverseBytes(value) : value;
    }

    /** Returns the value of an option of 32 bits; 0 if it is missing. */
    static int ofInt(int code, long options, long end, boolean swapped) {
        long at = find(code, Integer.BYTES, options, end, swapped);
        int value = at == 0 ? 0 : Memory.getInt(at);
        return swapped ? Integer.reverseBytes(value) : value;
    }

    /** Returns the address of the value of an option that has so many bytes; 0 without it. */
    private static long find(int wanted, int bytes, long options, long end, boolean swapped) {
        long at = options;
        while (at + 4 <= end) {
            int code = half(at, swapped);
            int length = half(at + 2, swapped);
            if (code == END || at + 4 + length > end) {
                return 0;
            }
            if (code == wanted && length == bytes) {
                return at + 4;
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
