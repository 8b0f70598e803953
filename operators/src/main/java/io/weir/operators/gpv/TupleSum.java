package io.weir.operators.gpv;

import io.weir.operators.memory.Memory;

/**
 * The sum of a field over 4-byte tuples: two tuples a load, eight a step, and no branch that
 * depends on how many there are. A loop over so few tuples costs more for the guess when it ends
 * than for all its loads. Stateless; any thread.
 */
public final class TupleSum {
    private static final int STEP = 8;

    /** So many that the JIT sees that {@code left & LEFTS - 1} is in bounds, and does not check. */
    private static final int LEFTS = 16;

    /** What to keep of the four loads of a step, by the tuples that are left. */
    private static final long[] KEEP = keep();

    private TupleSum() {}

    /**
     * Sums a field of big endian tuples. Reads, and ignores, up to 28 bytes after the last of them:
     * memory of the allocator's has that much to spare.
     *
     * @param shift the field's lowest bit
     * @param field its mask, once it is shifted: of at most 28 bits
     */
    public static long of(long address, int count, int shift, long field) {
        long lanes = field | field << Integer.SIZE;
        return count <= STEP
                ? step(address, count, shift, lanes)
                : many(address, count, shift, lanes);
    }

    /** Apart, so that the JIT does not make one loop of this and its caller's. */
    private static long many(long address, int count, int shift, long lanes) {
        long sum = 0;
        long at = address;
        int left = count;
        for (; left > STEP; left -= STEP, at += STEP * Integer.BYTES) {
            sum += step(at, STEP, shift, lanes);
        }
        return sum + step(at, left, shift, lanes);
    }

    private static long step(long at, int left, int shift, long lanes) {
        int keep = (left & LEFTS - 1) * 4;
        long sums = Memory.getLongBigEndian(at) >>> shift & lanes & KEEP[keep];
        sums += Memory.getLongBigEndian(at + 8) >>> shift & lanes & KEEP[keep + 1];
        sums += Memory.getLongBigEndian(at + 16) >>> shift & lanes & KEEP[keep + 2];
        sums += Memory.getLongBigEndian(at + 24) >>> shift & lanes & KEEP[keep + 3];
        return (sums >>> Integer.SIZE) + (sums & 0xffff_ffffL);
    }

    /** The first of two tuples lies in a load's high half. */
    private static long[] keep() {
        long[] keep = new long[LEFTS * 4];
        for (int left = 0; left <= STEP; left++) {
            for (int load = 0; load < 4; load++) {
                int tuples = left - 2 * load;
                keep[left * 4 + load] = tuples <= 0 ? 0 : tuples == 1 ? -1L << Integer.SIZE : -1L;
            }
        }
        return keep;
    }
}
