package io.weir.operators.sketch;

import org.apache.datasketches.hll.HllSketch;
import org.apache.datasketches.hll.TgtHllType;
import org.apache.datasketches.hll.Union;

/**
 * How many distinct values there were: HyperLogLog with 4096 registers. The estimate depends on the
 * set of values alone, not on their order or on merges: it is read from the registers, where the
 * library's default follows the order of updates.
 */
public final class DistinctSketch extends Sketch {
    static final int LG_REGISTERS = 12;

    /** Where the library's preamble has them. */
    private static final int LG_K_BYTE = 3;

    private static final int LG_ARRAY_BYTE = 4;

    private static final int MAX_BYTES =
            HllSketch.getMaxUpdatableSerializationBytes(LG_REGISTERS, TgtHllType.HLL_8);

    /** The library's objects besides their arrays. */
    private static final int OBJECTS_BYTES = 160;

    private final Union values = new Union(LG_REGISTERS);

    /** One standard deviation of the estimate, as a share of it: 1.04 / √4096. */
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

    /** Its own {@link #bytes}; another number of registers is refused. */
    static DistinctSketch read(byte[] bytes) {
        boolean ours =
                bytes.length <= MAX_BYTES && SketchBytes.at(bytes, LG_K_BYTE) == LG_REGISTERS;
        if (!ours || SketchBytes.at(bytes, LG_ARRAY_BYTE) > LG_REGISTERS) {
            throw SketchBytes.malformed(null);
        }
        DistinctSketch sketch = new DistinctSketch();
        sketch.values.update(HllSketch.heapify(bytes));
        return sketch;
    }
}
