package io.weir.operators.gpv;

import io.weir.operators.memory.Memory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.agrona.BufferUtil;

/**
 * The sum of a field over tuples. It takes eight a step, and no branch depends on their number. A
 * loop over so few tuples costs more for the misprediction at its end than for all its loads.
 * Stateless; any thread.
 *
 * <p>A load has two 4-byte tuples:
 *
 * <pre>
 *   tuples       a0 a1 a2 a3 b0 b1 b2 b3 ..      big endian: the field is in the last two bytes
 *   a load at       a1 a2|a3 b0|b1 b2|b3 ..      one byte on, as four little endian lanes
 *   masked           0 a2|a3  0| 0 b2|b3  0      a2 and b2 lie where they count 256 times as much
 * </pre>
 *
 * So the lanes of all loads are added without reversing a byte. A multiplication adds up the lanes
 * of the result.
 */
public final class TupleSum {
    /** The most bits of a field, its place included, that a lane can sum eight times. */
    public static final int MOST_BITS = 13;

    private static final int STEP = 8;
    private static final int STEP_BYTES = STEP * Integer.BYTES;
    private static final long LANES = 0x0001_0001_0001_0001L;

    /** Masks for eight tuples' words, and then for none. */
    private static final ByteBuffer WORDS = masksOfWords();

    /** The masks of each field. Kernels keep using them. */
    private static final Map<Integer, ByteBuffer> KEPT = new ConcurrentHashMap<>();

    private TupleSum() {}

    /**
     * Makes the masks for the loads of a step in {@link #of}: masks of eight tuples, and then of
     * none.
     *
     * @param shift the field's lowest bit
     * @param field its mask, once it is shifted
     * @return the address where the masks of none begin
     */
    public static long masks(int shift, long field) {
        long low = field << shift;
        if (low >>> MOST_BITS != 0) {
            throw new IllegalArgumentException("a field beyond bit " + MOST_BITS);
        }
        int tuple = (int) (low & 0xff00 | (low & 0xff) << Short.SIZE);
        ByteBuffer kept = KEPT.computeIfAbsent(tuple, TupleSum::masksOf);
        return BufferUtil.address(kept) + STEP_BYTES;
    }

    private static ByteBuffer masksOfWords() {
        ByteBuffer masks = ByteBuffer.allocateDirect(2 * STEP * Long.BYTES);
        for (int t = 0; t < STEP; t++) {
            masks.putLong(-1);
        }
        return masks;
    }

    /** Makes the masks for {@link #ofWords}, as {@link #masks} does. */
    public static long masksOfAll() {
        return BufferUtil.address(WORDS) + STEP * Long.BYTES;
    }

    private static ByteBuffer masksOf(int tuple) {
        // The masks lie on one line, so that no load of some of them crosses to the next.
        ByteBuffer masks = BufferUtil.allocateDirectAligned(2 * STEP_BYTES, 2 * STEP_BYTES);
        masks.order(ByteOrder.LITTLE_ENDIAN);
        for (int t = 0; t < STEP; t++) {
            masks.putInt(tuple);
        }
        return masks;
    }

    /**
     * Sums a field of big endian tuples. It also reads, and ignores, up to 29 bytes after the last;
     * the allocator's memory has that much to spare.
     *
     * @param shift the field's lowest bit
     * @param masks of the field
     */
    public static long of(long address, long count, int shift, long masks) {
        return count <= STEP
                ? step(address, count, shift, masks)
                : many(address, count, shift, masks);
    }

    /** A method of its own, so that the JIT does not merge this loop with its caller's. */
    private static long many(long address, long count, int shift, long masks) {
        long sum = 0;
        long at = address;
        long left = count;
        for (; left > STEP; left -= STEP, at += STEP_BYTES) {
            sum += step(at, STEP, shift, masks);
        }
        return sum + step(at, left, shift, masks);
    }

    private static long step(long at, long left, int shift, long masks) {
        // The last of these masks belong to the remaining tuples, and the masks behind them are
        // empty.
        long mask = masks - left * Integer.BYTES;
        long sums =
                (Memory.getLong(at + 1) & Memory.getLong(mask))
                        + (Memory.getLong(at + 9) & Memory.getLong(mask + 8))
                        + (Memory.getLong(at + 17) & Memory.getLong(mask + 16))
                        + (Memory.getLong(at + 25) & Memory.getLong(mask + 24));
        return sums * LANES >>> Long.SIZE - Short.SIZE + shift;
    }

    /**
     * Sums unsigned words of four bytes, little endian. It also reads, and ignores, up to seven
     * tuples after the last; the allocator's memory has that much to spare.
     *
     * @param word address of the first tuple's
     * @param step bytes of a tuple, 256 at most
     * @param masks {@link #masksOfAll}
     */
    public static long ofWords(long word, long count, int step, long masks) {
        return count <= STEP
                ? eightWords(word, count, step, masks)
                : manyWords(word, count, step, masks);
    }

    /** A method of its own, for the reason of {@link #many}. */
    private static long manyWords(long word, long count, int step, long masks) {
        long sum = 0;
        long at = word;
        long left = count;
        for (; left > STEP; left -= STEP, at += (long) STEP * step) {
            sum += eightWords(at, STEP, step, masks);
        }
        return sum + eightWords(at, left, step, masks);
    }

    private static long eightWords(long at, long left, int step, long masks) {
        long mask = masks - left * Long.BYTES;
        return fourWords(at, step, mask) + fourWords(at + 4L * step, step, mask + 4 * Long.BYTES);
    }

    private static long fourWords(long at, int step, long mask) {
        return (Memory.getInt(at) & 0xffff_ffffL & Memory.getLong(mask))
                + (Memory.getInt(at + step) & 0xffff_ffffL & Memory.getLong(mask + 8))
                + (Memory.getInt(at + 2L * step) & 0xffff_ffffL & Memory.getLong(mask + 16))
                + (Memory.getInt(at + 3L * step) & 0xffff_ffffL & Memory.getLong(mask + 24));
    }
}
