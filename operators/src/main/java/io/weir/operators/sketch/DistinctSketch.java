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

    private static final int MAX_BYTES =
            HllSketch.getMaxUpdatableSerializationBytes(LG_REGISTERS, TgtHllType.HLL_8);

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
    int maxBytes() {
        return MAX_BYTES;
    }

    @Override
    Sketch another() {
        return new DistinctSketch();
    }

    @Override
    void merge(Sketch other) {
        values.update(((DistinctSketch) other).values.getResult(TgtHllType.HLL_8));
    }
}
