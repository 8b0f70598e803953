package io.weir.operators.sketch;

import org.apache.datasketches.kll.KllDoublesSketch;
import org.apache.datasketches.kll.KllSketch;
import org.apache.datasketches.memory.Memory;

/**
 * Quantiles of numbers: KLL with k = 200. Its compaction is random, so two runs over the same
 * packets may differ within its error.
 */
public final class QuantileSketch extends Sketch {
    static final int K = 200;

    /** The place of k in the library's preamble, two bytes. */
    private static final int K_BYTE = 4;

    /** The library's bound for more values than there will be. */
    private static final int MAX_BYTES =
            KllSketch.getMaxSerializedSizeBytes(
                    K, 1L << 40, KllSketch.SketchType.DOUBLES_SKETCH, true);

    private final KllDoublesSketch values = KllDoublesSketch.newHeapInstance(K);

    /** Returns the rank error of an answer, as a fraction of all values, in 99 of 100 cases. */
    public static double rankError() {
        return KllSketch.getNormalizedRankError(K, false);
    }

    void add(double value) {
        values.update(value);
    }

    boolean isEmpty() {
        return values.isEmpty();
    }

    double quantile(double rank) {
        return values.getQuantile(rank);
    }

    @Override
    int heldBytes() {
        return MAX_BYTES;
    }

    @Override
    Sketch another() {
        return new QuantileSketch();
    }

    @Override
    void merge(Sketch other) {
        values.merge(((QuantileSketch) other).values);
    }

    @Override
    byte[] bytes() {
        return values.toByteArray();
    }

    /** Reads its own {@link #bytes}. Another k is refused. */
    static QuantileSketch read(byte[] bytes) {
        int k =
                ReceivedSketch.at(bytes, K_BYTE)
                        | ReceivedSketch.at(bytes, K_BYTE + 1) << Byte.SIZE;
        if (bytes.length > MAX_BYTES || k != K) {
            throw ReceivedSketch.malformed(null);
        }
        QuantileSketch sketch = new QuantileSketch();
        // The library's own merge result is sound. The library throws if it refuses the bytes.
        sketch.values.merge(KllDoublesSketch.heapify(Memory.wrap(bytes)));
        if (!sketch.isEmpty()) {
            sketch.quantile(1);
        }
        return sketch;
    }
}
