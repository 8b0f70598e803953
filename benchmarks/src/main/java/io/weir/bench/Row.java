package io.weir.bench;

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
 */
record Row(
        String work,
        long groups,
        String layout,
        double weirMpps,
        double nativePlainMpps,
        double nativeBestMpps,
        double bytesPerOp,
        boolean hashOk) {

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
        return map;
    }

    /** One line for people. */
    String toLine() {
        return String.format(
                "%-44s %-7s %8d groups %8.1f Mpps   plain C++ %7.1f (%.2f)   best C++ %7.1f (%.2f)"
                        + "   %.3f B/op   %s",
                work,
                layout,
                groups,
                weirMpps,
                nativePlainMpps,
                weirMpps / nativePlainMpps,
                nativeBestMpps,
                weirMpps / nativeBestMpps,
                bytesPerOp,
                hashOk ? "right" : "WRONG RESULT");
    }
}
