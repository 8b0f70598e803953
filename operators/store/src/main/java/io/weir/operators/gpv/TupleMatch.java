package io.weir.operators.gpv;

import io.weir.operators.memory.Memory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.agrona.BufferUtil;

/**
 * Counts the tuples with a wanted value in a field of two bytes, in some of its bits or all. It
 * takes eight a step, and no branch depends on their number. Stateless; any thread.
 *
 * <pre>
 *   four tuples' fields, in lanes        f0 f1 f2 f3
 *   not those bits, or another value     top bit of the lane is 1
 *   both fours, one beside the other     bits 0 1, 16 17, 32 33, 48 49: tuples 0 4, 1 5, 2 6, 3 7
 * </pre>
 */
public final class TupleMatch {
    private static final int STEP = 8;
    private static final int LANES = 4;
    private static final long ONES = 0x0001_0001_0001_0001L;
    private static final long LOW_BITS = 0x7fff_7fff_7fff_7fffL;

    /** The bits of the remaining tuples, for each number of them. */
    private static final ByteBuffer LEFT = bitsOfLeft();

    private TupleMatch() {}

    private static ByteBuffer bitsOfLeft() {
        ByteBuffer left = ByteBuffer.allocateDirect((STEP + 1) * Long.BYTES);
        left.order(ByteOrder.nativeOrder());
        long bits = 0;
        left.putLong(bits);
        for (int tuple = 0; tuple < STEP; tuple++) {
            bits |= 1L << (tuple % LANES * Short.SIZE + tuple / LANES);
            left.putLong(bits);
        }
        return left;
    }

    /** Returns the address of the bits of remaining tuples, for {@link #of}. */
    public static long left() {
        return BufferUtil.address(LEFT);
    }

    /** Returns a value of two bytes in each lane. */
    public static long lanes(long value) {
        if (value >>> Short.SIZE != 0) {
            throw new IllegalArgumentException(value + " has more than two bytes");
        }
        return value * ONES;
    }

    /**
     * Counts tuples. It also reads, and ignores, up to seven tuples after the last; the allocator's
     * memory has that much to spare.
     *
     * @param field address of the first tuple's field, little endian
     * @param step bytes of a tuple, 256 at most
     * @param mask bits of the field that count, in {@link #lanes}
     * @param value the wanted bits, in lanes
     * @param left {@link #left}
     */
    public static long of(long field, long count, int step, long mask, long value, long left) {
        return count <= STEP
                ? eight(field, count, step, mask, value, left)
                : many(field, count, step, mask, value, left);
    }

    /** A method of its own, so that the JIT does not merge this loop with its caller's. */
    private static long many(long field, long count, int step, long mask, long value, long left) {
        long found = 0;
        long at = field;
        long more = count;
        for (; more > STEP; more -= STEP, at += (long) STEP * step) {
            found += eight(at, STEP, step, mask, value, left);
        }
        return found + eight(at, more, step, mask, value, left);
    }

    private static long eight(long at, long count, int step, long mask, long value, long left) {
        long other =
                others(at, step, mask, value) >>> Short.SIZE - 1
                        | others(at + (long) LANES * step, step, mask, value) >>> Short.SIZE - 2;
        return Long.bitCount(~other & Memory.getLong(left + count * Long.BYTES));
    }

    /** Returns the top bit of each lane: 1 if it has another value. */
    private static long others(long at, int step, long mask, long value) {
        long four =
                Memory.getShort(at) & 0xffffL
                        | (Memory.getShort(at + step) & 0xffffL) << 16
                        | (Memory.getShort(at + 2L * step) & 0xffffL) << 32
                        | (Memory.getShort(at + 3L * step) & 0xffffL) << 48;
        long differ = four & mask ^ value;
        return ((differ & LOW_BITS) + LOW_BITS | differ) & ~LOW_BITS;
    }
}
