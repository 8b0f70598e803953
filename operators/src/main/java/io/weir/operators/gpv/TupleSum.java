package io.weir.operators.gpv;

import io.weir.operators.memory.Memory;

/**
 * The sum of a field over 4-byte tuples: two tuples a load, eight a step, and no branch that
 * depends on how many there are. A loop over so few tuples costs more for the guess when it ends
 * than for all its loads. Stateless; any thread.
 */
public final class TupleSum {
    /** A field of so many bits, its place included, is summed eight times within half a word. */
    public static final int MOST_BITS = 29;

    private static final int STEP = 8;
    private static final int LOADS = STEP / 2;

    /** So many that the JIT sees that {@code left & LEFTS - 1} is in bounds, and does not check. */
    private static final int LEFTS = 16;

    private TupleSum() {}

    /**
     * What {@link #of} keeps of the four loads of a step, by the tuples that are left.
     *
     * @param shift the field's lowest bit
     * @param field its mask, once it is shifted
     */
    public static long[] masks(int shift, long field) {
        long low = field << shift;
        if (low >>> MOST_BITS != 0) {
            throw new IllegalArgumentException("a field beyond bit " + MOST_BITS);
        }
        long[] masks = new long[LEFTS * LOADS];
        for (int left = 0; left <= STEP; left++) {
            for (int load = 0; load < LOADS; load++) {
                // The first of two tuples lies in a load's high half.
                long first = left > 2 * load ? low << Integer.SIZE : 0;
                long second = left > 2 * load + 1 ? low : 0;
                masks[left * LOADS + load] = first | second;
            }
        }
        return masks;
    }

    /**
     * Sums a field of big endian tuples. Reads, and ignores, up to 28 bytes after the last of them:
     * memory of the allocator's has that much to spare.
     *
     * @param shift the field's lowest bit
     * @param masks of the field
     */
    public static long of(long address, int count, int shift, long[] masks) {
        return count <= STEP
                ? step(address, count, shift, masks)
                : many(address, count, shift, masks);
    }

    /** Apart, so that the JIT does not make one loop of this and its caller's. */
    private static long many(long address, int count, int shift, long[] masks) {
        long sum = 0;
        long at = address;
        int left = count;
        for (; left > STEP; left -= STEP, at += STEP * Integer.BYTES) {
            sum += step(at, STEP, shift, masks);
        }
        return sum + step(at, left, shift, masks);
    }

    private static long step(long at, int left, int shift, long[] masks) {
        int first = (left & LEFTS - 1) * LOADS;
        long sums =
                (Memory.getLongBigEndian(at) & masks[first])
                        + (Memory.getLongBigEndian(at + 8) & masks[first + 1])
                        + (Memory.getLongBigEndian(at + 16) & masks[first + 2])
                        + (Memory.getLongBigEndian(at + 24) & masks[first + 3]);
        return (sums >>> Integer.SIZE + shift) + ((sums & 0xffff_ffffL) >>> shift);
    }
}
