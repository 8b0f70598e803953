package io.weir.bench;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One measured piece of work.
 *
 * @param work what was done, in words
 * @param groups rows of the result
 * @param layout of the GPVs
 * @param weirMpps million packets per second
 * @param nativePlainMpps the same by a plain C++ loop; NaN without a baseline
 * @param nativeBestMpps the same by the best C++ loop; NaN without a baseline
 * @param bytesPerOp heap allocated per operation of the benchmark; NaN where it was not measured
 * @param hashOk whether every result was right, the baseline's too
 * @param more figures of this work only
 */
record Row(
        String work,
        long groups,
        String layout,
        double weirMpps,
        double nativePlainMpps,
        double nativeBestMpps,
        double bytesPerOp,
        boolean hashOk,
        Map<String, Object> more) {

    Row {
        more = Collections.unmodifiableMap(new LinkedHashMap<>(more));
    }

    Map<String, Object> toMap() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("work", work);
        map.put("groups", groups);
        map.put("layout", layout);
        map.put("weir_mpps", weirMpps);
        map.put("native_plain_mpps", nativePlainMpps);
        map.put("native_best_mpps", nativeBestMpps);
        map.put("ratio_plain_native", weirMpps / nativePlainMpps);
        map.put("ratio_best_native", weirMpps / nativeBestMpps);
        map.put("bytes_per_op", bytesPerOp);
        map.put("hash_ok", hashOk);
        map.putAll(more);
        return map;
    }

    /** One line for people. */
    String toLine() {
        StringBuilder line = new StringBuilder();
        line.append(String.format("%-50s %-7s%7d groups", work, layout, groups));
        line.append(String.format("%8.1f Mpps", weirMpps));
        if (!Double.isNaN(nativeBestMpps)) {
            line.append(versus("plain", nativePlainMpps)).append(versus("best", nativeBestMpps));
        }
        if (!Double.isNaN(bytesPerOp)) {
            line.append(String.format("  %.3f B/op", bytesPerOp));
        }
        more.forEach((name, value) -> line.append("  ").append(name).append(' ').append(value));
        return line.append(hashOk ? "  right" : "  WRONG RESULT").toString();
    }

    private String versus(String name, double mpps) {
        return String.format("  %s C++ %.1f (%.2f)", name, mpps, weirMpps / mpps);
    }
}
