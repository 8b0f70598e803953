package io.weir.operators.sketch;

import org.apache.datasketches.hll.HllSketch;
import org.apache.datasketches.hll.TgtHllType;
import org.apache.datasketches.hll.Union;

/**
 * An estimate of the number of distinct values: HyperLogLog with 4096 registers. It depends only on
 * the set of values, not on their order or on merges. It is read from the registers, because the
 * library's default follows the order of updates.
 */
public final class DistinctSketch extends Sketch {
    static final int LG_REGISTERS = 12;

    /** The place of this number in the library's preamble. */
    private static final int LG_K_BYTE = 3;

    private static final int LG_ARRAY_BYTE = 4;

    private static final int MAX_BYTES =
            HllSketch.getMaxUpdatableSerializationBytes(LG_REGISTERS, TgtHllType.HLL_8);

    /** The bytes of the library's objects besides their arrays. */
    private static final int OBJECTS_BYTES = 160;

    private final Union values = new Union(LG_REGISTERS);

    /** Returns one standard deviation of the estimate, as a fraction of it: 1.04 / √4096. */
    public static double relativeError() {
        return HllSketch.getRelErr(true, true, LG_REGISTERS, 1);
    }

    void add(long hash) {
        values.update(hash);
    }

    long estimate() {
        return Math.round(values.getCompositeEstimate());
    }

    @Override
    int heldBytes() {
        return OBJECTS_BYTES + values.getUpdatableSerializationBytes();
    }

    @Override
    Sketch another() {
        return new DistinctSketch();
    }

    @Override
    void merge(Sketch other) {
        values.update(((DistinctSketch) other).values.getResult(TgtHllType.HLL_8));
    }

    @Override
    byte[] bytes() {
        return values.getResult(TgtHllType.HLL_8).toCompactByteArray();
    }

    /** Reads its own {@link #bytes}. Another number of registers is refused. */
    static DistinctSketch read(byte[] bytes) {
        boolean ours =
                bytes.length <= MAX_BYTES && ReceivedSketch.at(bytes, LG_K_BYTE) == LG_REGISTERS;
        if (!ours || ReceivedSketch.at(bytes, LG_ARRAY_BYTE) > LG_REGISTERS) {
            throw ReceivedSketch.malformed(null);
        }
        DistinctSketch sketch = new DistinctSketch();
        sketch.values.update(HllSketch.heapify(bytes));
        return sketch;
    }
}
