package io.weir.sql.validate;

import io.weir.operators.error.Suggestion;
import io.weir.operators.function.FunctionRegistry;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/** Knows other tools' names for things of packets, and gives Weir's. */
public final class Spelling {
    private static final Pattern NUMBER =
            Pattern.compile("[+-]?(\\d+(\\.\\d*)?|0[xX]\\p{XDigit}+)");

    /** Columns by their names in other tools. */
    private static final Map<String, String> COLUMNS =
            Map.ofEntries(
                    Map.entry("src_ip", "src_addr"),
                    Map.entry("ip_src", "src_addr"),
                    Map.entry("saddr", "src_addr"),
                    Map.entry("dst_ip", "dst_addr"),
                    Map.entry("ip_dst", "dst_addr"),
                    Map.entry("daddr", "dst_addr"),
                    Map.entry("sport", "src_port"),
                    Map.entry("dport", "dst_port"),
                    Map.entry("protocol", "proto"),
                    Map.entry("ip_proto", "proto"),
                    Map.entry("length", "bytes"),
                    Map.entry("len", "bytes"),
                    Map.entry("size", "bytes"),
                    Map.entry("flags", "tcp_flags"),
                    Map.entry("ttl", "ip_ttl"),
                    Map.entry("tos", "ip_tos"),
                    Map.entry("dscp", "ip_tos"),
                    Map.entry("vlan", "vlan_id"),
                    Map.entry("ethertype", "etype"));

    /** Things that a packet has twice, by the end of their columns' names. */
    private static final Map<String, String> ENDS =
            Map.of(
                    "port", "_port", "ip", "_addr", "addr", "_addr", "address", "_addr", "host",
                    "_addr", "mac", "_mac");

    private static final Map<String, String> VALUES =
            Map.of(
                    "icmp", "ICMP is 1",
                    "tcp", "TCP is 6",
                    "udp", "UDP is 17",
                    "icmp6", "ICMPv6 is 58",
                    "icmpv6", "ICMPv6 is 58",
                    "syn", "SYN is 2, to be tested by BITAND(tcp_flags, 2) = 2",
                    "ack", "ACK is 16, to be tested by BITAND(tcp_flags, 16) = 16",
                    "fin", "FIN is 1, to be tested by BITAND(tcp_flags, 1) = 1",
                    "rst", "RST is 4, to be tested by BITAND(tcp_flags, 4) = 4");

    private static final String NO_CLOCK =
            "queries have no clock but that of packets: write the time, as '2026-11-20 13:45:00' (UTC)";
    private static final String QUANTILE = "APPROX_QUANTILE(x, 0.5) is the median";

    /** The hint about windows of time. */
    static final String WINDOWS =
            "windows cut time: GROUP BY TUMBLE(ts, INTERVAL '1' MINUTE), and select window_start";

    static final String PATTERNS = "x LIKE 'a%' and REGEXP_LIKE(x, '^a') test texts";

    private static final String PART_OF_TIME =
            "EXTRACT(HOUR FROM ts) is the hour; NANOSECONDS(x) / 1e9 is in seconds";
    private static final String COUNT_IF = "write COUNT(*) FILTER (WHERE …)";
    private static final String CHOICE = "write CASE WHEN … THEN … ELSE … END";
    private static final Map<String, String> FUNCTIONS =
            Map.ofEntries(
                    Map.entry("now", NO_CLOCK),
                    Map.entry("median", QUANTILE),
                    Map.entry("percentile", QUANTILE),
                    Map.entry("percentile_cont", QUANTILE),
                    Map.entry("percentile_disc", QUANTILE),
                    Map.entry("approx_percentile", QUANTILE),
                    Map.entry("quantile", QUANTILE),
                    Map.entry("quantile_cont", QUANTILE),
                    Map.entry("quantile_disc", QUANTILE),
                    Map.entry("countif", COUNT_IF),
                    Map.entry("count_if", COUNT_IF),
                    Map.entry("if", CHOICE),
                    Map.entry("iif", CHOICE),
                    Map.entry("ifnull", "COALESCE(x, y) is"),
                    Map.entry("nvl", "COALESCE(x, y) is"),
                    Map.entry("isnull", "COALESCE(x, y) is"),
                    Map.entry("time_bucket", WINDOWS),
                    Map.entry("date_bin", WINDOWS),
                    Map.entry("epoch", PART_OF_TIME),
                    Map.entry("epoch_ms", PART_OF_TIME),
                    Map.entry("epoch_ns", PART_OF_TIME),
                    Map.entry("unix_timestamp", PART_OF_TIME),
                    Map.entry("year", PART_OF_TIME),
                    Map.entry("month", PART_OF_TIME),
                    Map.entry("week", PART_OF_TIME),
                    Map.entry("dayofmonth", PART_OF_TIME),
                    Map.entry("dayofweek", PART_OF_TIME),
                    Map.entry("hour", PART_OF_TIME),
                    Map.entry("minute", PART_OF_TIME),
                    Map.entry("second", PART_OF_TIME),
                    Map.entry("strftime", PART_OF_TIME),
                    Map.entry("to_char", PART_OF_TIME),
                    Map.entry("date_format", PART_OF_TIME),
                    Map.entry("log", "LN(x) / LN(1e1) is to base 10, LOG2(x) to base 2"),
                    Map.entry("log10", "LN(x) / LN(1e1) is to base 10, LOG2(x) to base 2"),
                    Map.entry("pow", "did you mean POWER?"),
                    Map.entry("trunc", "CAST(x AS BIGINT) cuts towards zero"),
                    Map.entry("truncate", "CAST(x AS BIGINT) cuts towards zero"),
                    Map.entry("any_value", "APPROX_TOP(x, 1) is the most frequent x"),
                    Map.entry("arbitrary", "APPROX_TOP(x, 1) is the most frequent x"),
                    Map.entry("mode", "APPROX_TOP(x, 1) is the most frequent x"),
                    Map.entry("string_agg", "there are no lists: group by what is to be listed"),
                    Map.entry("array_agg", "there are no lists: group by what is to be listed"),
                    Map.entry("list", "there are no lists: group by what is to be listed"),
                    Map.entry("listagg", "there are no lists: group by what is to be listed"),
                    Map.entry("group_concat", "there are no lists: group by what is to be listed"),
                    Map.entry("concat", "x || y joins texts"),
                    Map.entry("concat_ws", "x || ' ' || y joins texts"),
                    Map.entry("ucase", "did you mean UPPER?"),
                    Map.entry("lcase", "did you mean LOWER?"),
                    Map.entry("len", "did you mean CHAR_LENGTH?"),
                    Map.entry("strpos", "write POSITION(part IN x)"),
                    Map.entry("instr", "write POSITION(part IN x)"),
                    Map.entry("regexp_matches", "did you mean REGEXP_LIKE?"));

    private static final Map<String, String> OPERATORS =
            Map.of(
                    "&",
                    "BITAND(x, y) is",
                    "|",
                    "BITOR(x, y) is",
                    "^",
                    "BITXOR(x, y) is, and POWER(x, y)");

    private Spelling() {}

    /** Returns the hint for a text where a number is wanted. */
    static String ofNumber(String text) {
        String value = VALUES.get(text.toLowerCase(Locale.ROOT));
        if (value != null) {
            return value;
        }
        return NUMBER.matcher(text.strip()).matches()
                ? "write the number without quotes"
                : "write a number, without quotes";
    }

    /** Returns the hint for a column that does not exist. */
    public static String ofColumn(String name, Collection<String> known, String fallback) {
        String lower = name.toLowerCase(Locale.ROOT);
        String column = COLUMNS.get(lower);
        String source = "src" + ENDS.get(lower);
        if (column != null && known.contains(column)) {
            return "did you mean " + column + "?";
        } else if (known.contains(source)) {
            return "did you mean " + source + " or dst" + ENDS.get(lower) + "?";
        } else if (name.startsWith("current_") || name.startsWith("localtime")) {
            return NO_CLOCK;
        } else if (name.matches(".*[.:/].*")) {
            return "double quotes are for names; a value is put in single quotes";
        }
        return Suggestion.nearest(name, known)
                .map(n -> "did you mean " + n + "?")
                .orElse(VALUES.getOrDefault(lower, fallback));
    }

    /** Returns the hint for a function that does not exist. */
    public static String ofFunction(String name) {
        String hint = FUNCTIONS.get(name);
        return hint != null
                ? hint
                : Suggestion.hint(
                        name, FunctionRegistry.loaded().names(), "SHOW FUNCTIONS lists them");
    }

    /** Returns the hint for an operator that does not exist; null if nothing is like it. */
    static String ofOperator(String operator) {
        return OPERATORS.get(operator);
    }
}
