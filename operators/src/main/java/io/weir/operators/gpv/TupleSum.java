package io.weir.operators.gpv;

import io.weir.operators.memory.Memory;

/**
 * The sum of a field over 4-byte tuples: two tuples a load, eight a step, and no branch that
 * depends on how many there are. A loop over so few tuples costs more for the guess when it ends
 * than for all its loads. Stateless; any thread.
 *
 * <pre>
 *   tuples       a0 a1 a2 a3 b0 b1 b2 b3 ..      big endian: the field is in the last two bytes
 *   a load at       a1 a2|a3 b0|b1 b2|b3 ..      one byte on, as four little endian lanes
 *   masked           0 a2|a3  0| 0 b2|b3  0      a2 and b2 lie where they count 256 times as much
 * </pre>
 *
 * So the lanes of all loads are added up as they are, with no byte turned, and those of the result
 * by a multiplication.
 */
public final class TupleSum {
    /** A field of so many bits, its place included, is summed eight times within a lane. */
    public static final int MOST_BITS = 13;

    private static final int STEP = 8;
    private static final int LOADS = STEP / 2;
    private static final long LANES = 0x0001_0001_0001_0001L;

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
        long tuple = low & 0xff00 | (low & 0xff) << Short.SIZE;
        long[] masks = new long[LEFTS * LOADS];
        for (int left = 0; left <= STEP; left++) {
            for (int load = 0; load < LOADS; load++) {
                long first = left > 2 * load ? tuple : 0;
                long second = left > 2 * load + 1 ? tuple << Integer.SIZE : 0;
                masks[left * LOADS + load] = first | second;
            }
        }
        return masks;
    }

    /**
     * Sums a field of big endian tuples. Reads, and ignores, up to 29 bytes after the last of them:
     * memory of the allocator's has that much to spare.
     *
     * @param shift the field's lowest bit
     * @param masks of the field
     */
    public static long of(long address, long count, int shift, long[] masks) {
        return count <= STEP
                ? step(address, (int) count, shift, masks)
                : many(address, count, shift, masks);
    }

    /** Apart, so that the JIT does not make one loop of this and its caller's. */
    private static long many(long address, long count, int shift, long[] masks) {
        long sum = 0;
        long at = address;
        long left = count;
        for (; left > STEP; left -= STEP, at += STEP * Integer.BYTES) {
            sum += step(at, STEP, shift, masks);
        }
        return sum + step(at, (int) left, shift, masks);
    }

    private static long step(long at, int left, int shift, long[] masks) {
        int first = (left & LEFTS - 1) * LOADS;
        long sums =
                (Memory.getLong(at + 1) & masks[first])
                        + (Memory.getLong(at + 9) & masks[first + 1])
                        + (Memory.getLong(at + 17) & masks[first + 2])
                        + (Memory.getLong(at + 25) & masks[first + 3]);
        return sums * LANES >>> Long.SIZE - Short.SIZE + shift;
    }
}
