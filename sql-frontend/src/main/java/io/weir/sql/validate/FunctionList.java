package io.weir.sql.validate;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What SHOW FUNCTIONS shows, and what hints name. */
public final class FunctionList {
    /** A function as people read of it. */
    public record Entry(String name, String form, String about) {}

    private static final List<Entry> ALL =
            List.of(
                    entry(
                            "COUNT(*), COUNT(x, …), COUNT(DISTINCT x, …)",
                            "rows; rows without NULLs"),
                    entry("SUM(x)", "of integers 64 bits, which wrap; NULL of nothing"),
                    entry("AVG(x)", "DOUBLE; NULL of nothing"),
                    entry("MIN(x)", "of numbers, times, intervals, MAC addresses"),
                    entry("MAX(x)", "of numbers, times, intervals, MAC addresses"),
                    entry("FIRST(x)", "of the packets of a flow; the key must be the 5-tuple"),
                    entry("LAST(x)", "of the packets of a flow; the key must be the 5-tuple"),
                    entry("EWMA(x, alpha)", "(1 − alpha) · mean + alpha · x, by 5-tuple"),
                    entry("NON_MONOTONIC(x)", "x below the greatest before them, by 5-tuple"),
                    entry(
                            "OUT_OF_SEQUENCE(x, next)",
                            "x that are not the next of the row before, by 5-tuple"),
                    entry("GAPS(ts, interval)", "pauses longer than the interval, by 5-tuple"),
                    entry(
                            "APPROX_COUNT_DISTINCT(x, …)",
                            "distinct tuples, in 4 KB a group; error 1.6 %"),
                    entry("APPROX_QUANTILE(x, rank)", "the x at that rank, from 0 to 1"),
                    entry("APPROX_TOP(x, n)", "the n-th most frequent x"),
                    entry("APPROX_TOP_COUNT(x, n)", "how often that x came"),
                    entry("TUMBLE(time, size)", "windows side by side; in GROUP BY"),
                    entry("HOP(time, slide, size)", "windows that overlap; in GROUP BY"),
                    entry("TUMBLE_START(time, size)", "start of the window; likewise TUMBLE_END"),
                    entry("TUMBLE_END(time, size)", "end of the window"),
                    entry("HOP_START(time, slide, size)", "start of the window"),
                    entry("HOP_END(time, slide, size)", "end of the window"),
                    entry("IN_SUBNET(addr, '10.0.0.0/8')", "whether the address is in the subnet"),
                    entry("FAMILY(addr)", "4 or 6"),
                    entry("BITAND(x, y)", "bits of both; likewise BITOR, BITXOR"),
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
                    entry("GREATEST(x, y, …)", "NULL when one is"),
                    entry("LEAST(x, y, …)", "NULL when one is"),
                    entry("COALESCE(x, y, …)", "the first that is not NULL"),
                    entry("NULLIF(x, y)", "NULL where x = y, else x"),
                    entry("NANOSECONDS(x)", "of a time since the epoch, or of an interval"),
                    entry("CAST(x AS type)", "BIGINT, DOUBLE; INET and MACADDR of strings"));

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

    /** How a function is written, for a hint. */
    static String form(String name) {
        String upper = name.toUpperCase(Locale.ROOT);
        Optional<Entry> entry = ALL.stream().filter(e -> e.name().equals(upper)).findFirst();
        return entry.map(Entry::form).orElse(upper + "(…)");
    }
}
