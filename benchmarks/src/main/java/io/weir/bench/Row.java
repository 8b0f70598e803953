package io.weir.bench;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One measured piece of work.
 *
 * @param work its name
 * @param what facts by name: layout, packets, groups, …
 * @param weirMpps million packets per second
 * @param nativePlainMpps the same by a plain C++ loop; NaN without a baseline
 * @param nativeBestMpps the same by the faster of it and the best C++ loop; NaN without a baseline
 * @param hashOk whether every result was right, the baseline's too
 * @param more figures of this work only, the peers' among them
 */
record Row(
        String work,
        Map<String, Object> what,
        double weirMpps,
        double nativePlainMpps,
        double nativeBestMpps,
        boolean hashOk,
        Map<String, Object> more) {

    Row {
        what = Collections.unmodifiableMap(new LinkedHashMap<>(what));
        more = Collections.unmodifiableMap(new LinkedHashMap<>(more));
    }

    /** Makes a row without a baseline. */
    static Row alone(
            String work,
            Map<String, Object> what,
            double weirMpps,
            boolean hashOk,
            Map<String, Object> more) {
        return new Row(work, what, weirMpps, Double.NaN, Double.NaN, hashOk, more);
    }

    Map<String, Object> toMap() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("work", work);
        map.putAll(what);
        map.put("weir_mpps", weirMpps);
        map.put("native_plain_mpps", nativePlainMpps);
        map.put("native_best_mpps", nativeBestMpps);
        map.put("ratio_plain_native", weirMpps / nativePlainMpps);
        map.put("ratio_best_native", weirMpps / nativeBestMpps);
        map.put("hash_ok", hashOk);
        map.putAll(more);
        return map;
    }

    /** One line for people. */
    String toLine() {
        StringBuilder line = new StringBuilder(String.format("%-20s", work));
        what.forEach((name, value) -> line.append("  ").append(name).append(' ').append(value));
        line.append(String.format("  weir %.1f Mpps", weirMpps));
        if (!Double.isNaN(nativeBestMpps)) {
            line.append(versus("plain", nativePlainMpps)).append(versus("best", nativeBestMpps));
        }
        more.forEach(
                (name, value) -> line.append("  ").append(name).append(' ').append(shown(value)));
        return line.append(hashOk ? "  right" : "  WRONG RESULT").toString();
    }

    private static String shown(Object value) {
        return value instanceof Double number ? String.format("%.2f", number) : value.toString();
    }

    private String versus(String name, double mpps) {
        return String.format("  %s C++ %.1f (%.2f)", name, mpps, weirMpps / mpps);
    }
}
