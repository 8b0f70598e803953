package io.weir.sql.validate;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The functions for SHOW FUNCTIONS and for hints. */
public final class FunctionList {
    /** A function in words for people. */
    public record Entry(String name, String form, String about) {}

    private static final List<Entry> ALL =
            List.of(
                    entry("COUNT(*)", "rows"),
                    entry("COUNT(x, …)", "rows in which none is NULL"),
                    entry("COUNT(DISTINCT x, …)", "different values, or tuples"),
                    entry("SUM(x)", "integers wrap at 64 bits; NULL of nothing"),
                    entry("AVG(x)", "DOUBLE; NULL of nothing"),
                    entry("MIN(x)", "numbers, times, intervals, MAC addresses"),
                    entry("MAX(x)", "numbers, times, intervals, MAC addresses"),
                    entry("FIRST(x)", "of a flow's packets; group by the 5-tuple"),
                    entry("LAST(x)", "of a flow's packets; group by the 5-tuple"),
                    entry("EWMA(x, alpha)", "(1 − alpha) · mean + alpha · x, by 5-tuple"),
                    entry("NON_MONOTONIC(x)", "x below the greatest before, by 5-tuple"),
                    entry("OUT_OF_SEQUENCE(x, next)", "x unlike the next of the row before"),
                    entry("GAPS(ts, interval)", "pauses longer than that, by 5-tuple"),
                    entry("APPROX_COUNT_DISTINCT(x, …)", "in 4 KB a group; error 1.6 %"),
                    entry("APPROX_QUANTILE(x, rank)", "the x at that rank, from 0 to 1"),
                    entry("APPROX_TOP(x, n)", "the n-th most frequent x"),
                    entry("APPROX_TOP_COUNT(x, n)", "how often that x came"),
                    entry("TUMBLE(time, size)", "windows side by side; in GROUP BY"),
                    entry("HOP(time, slide, size)", "windows that overlap; in GROUP BY"),
                    entry("TUMBLE_START(time, size)", "start of the window"),
                    entry("TUMBLE_END(time, size)", "end of the window"),
                    entry("HOP_START(time, slide, size)", "start of the window"),
                    entry("HOP_END(time, slide, size)", "end of the window"),
                    entry("IN_SUBNET(addr, '10.0.0.0/8')", "whether the address is in the subnet"),
                    entry("FAMILY(addr)", "4 or 6"),
                    entry("BITAND(x, y)", "bits of both"),
                    entry("BITOR(x, y)", "bits of either"),
                    entry("BITXOR(x, y)", "bits of one only"),
                    entry("BITNOT(x)", "bits turned over"),
                    entry("ABS(x)", "without its sign"),
                    entry("MOD(x, y)", "remainder, as x % y; NULL for y = 0"),
                    entry("SQRT(x)", "square root; NaN below 0"),
                    entry("LN(x)", "natural logarithm"),
                    entry("LOG2(x)", "logarithm to base 2"),
                    entry("EXP(x)", "e to the power of x"),
                    entry("POWER(x, y)", "x to the power of y"),
                    entry("FLOOR(x)", "next whole number below"),
                    entry("CEIL(x)", "next whole number above; also CEILING"),
                    entry("ROUND(x), ROUND(x, digits)", "the nearest; halves away from zero"),
                    entry("GREATEST(x, y, …)", "NULL when one is"),
                    entry("LEAST(x, y, …)", "NULL when one is"),
                    entry("COALESCE(x, y, …)", "the first that is not NULL"),
                    entry("NULLIF(x, y)", "NULL where x = y, else x"),
                    entry("NANOSECONDS(x)", "of a time since 1970, or of an interval"),
                    entry("CAST(x AS type)", "BIGINT, DOUBLE; strings: INET, MACADDR"));

    private FunctionList() {}

    private static Entry entry(String form, String about) {
        return new Entry(form.substring(0, form.indexOf('(')), form, about);
    }

    public static List<Entry> all() {
        return ALL;
    }

    static List<String> names() {
        return ALL.stream().map(Entry::name).toList();
    }

    /** Returns the written form of a function, for a hint. */
    static String form(String name) {
        String upper = name.toUpperCase(Locale.ROOT);
        Optional<Entry> entry = ALL.stream().filter(e -> e.name().equals(upper)).findFirst();
        return entry.map(Entry::form).orElse(upper + "(…)");
    }
}
