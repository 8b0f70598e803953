package io.weir.operators.sketch;

import io.weir.operators.error.WeirException;
import java.util.Arrays;
import java.util.function.LongConsumer;
import java.util.function.LongUnaryOperator;

/**
 * Writes and reads sketches for another process: a byte for the kind, then the library's own bytes.
 * Received bytes are checked before the library sees them. So no length in them makes the library
 * allocate memory, and a refusal by the library is an error of ours. Stateless.
 */
public final class SketchBytes {
    private static final byte DISTINCT = 1;
    private static final byte QUANTILE = 2;
    private static final byte TOP = 3;

    private SketchBytes() {}

    /** Returns whether the group has a sketch. It has none before its first value. */
    public static boolean isThere(long handle) {
        return SketchPool.sketch(handle) != null;
    }

    public static boolean isRefused(long handle) {
        return SketchPool.isRefused(handle);
    }

    /** Returns the handle of a sketch that had no room. */
    public static long refused(long handle) {
        return SketchPool.refused(handle);
    }

    /** Returns the bytes of a handle's sketch. */
    public static byte[] of(long handle) {
        Sketch sketch = SketchPool.sketch(handle);
        byte[] body = sketch.bytes();
        byte[] bytes = new byte[body.length + 1];
        bytes[0] = kind(sketch);
        System.arraycopy(body, 0, bytes, 1, body.length);
        return bytes;
    }

    /** Passes on each one-word value in a sketch of the most frequent values. */
    public static void words(long handle, LongConsumer each) {
        if (SketchPool.sketch(handle) instanceof TopSketch top) {
            top.words(each);
        }
    }

    private static byte kind(Sketch sketch) {
        return sketch instanceof DistinctSketch
                ? DISTINCT
                : sketch instanceof QuantileSketch ? QUANTILE : TOP;
    }

    /**
     * Puts the sketch into the pool of a group that has none.
     *
     * @param none the group's handle
     * @param words translates one-word values: symbols from the other process's numbers
     * @return the handle; a refused one without room
     * @throws WeirException MALFORMED_BYTES
     */
    public static long put(long none, byte[] bytes, LongUnaryOperator words) {
        return SketchPool.of(none).add(read(bytes, words));
    }

    private static Sketch read(byte[] bytes, LongUnaryOperator words) {
        if (bytes.length < 1) {
            throw ReceivedSketch.malformed(null);
        }
        byte[] body = Arrays.copyOfRange(bytes, 1, bytes.length);
        try {
            return switch (bytes[0]) {
                case DISTINCT -> DistinctSketch.read(body);
                case QUANTILE -> QuantileSketch.read(body);
                case TOP -> TopSketch.read(body, words);
                default -> throw ReceivedSketch.malformed(null);
            };
        } catch (WeirException ours) {
            throw ours;
        } catch (RuntimeException | AssertionError refused) {
            throw ReceivedSketch.malformed(refused);
        }
    }
}
