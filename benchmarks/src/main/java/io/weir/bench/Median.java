package io.weir.bench;

import java.util.Arrays;
import java.util.List;

/** Computes the median of measured values. Stateless. */
final class Median {
    private Median() {}

    /** Returns NaN without values. */
    static double of(List<Double> values) {
        if (values.isEmpty()) {
            return Double.NaN;
        }
        double[] sorted = values.stream().mapToDouble(Double::doubleValue).toArray();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
