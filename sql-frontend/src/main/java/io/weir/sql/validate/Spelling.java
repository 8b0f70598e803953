package io.weir.sql.validate;

import io.weir.sql.error.Suggestion;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/** How things that packets are known by elsewhere are written here. */
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

    /** What a packet has two of, by the end of their columns' names. */
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

    private static final Map<String, String> FUNCTIONS =
            Map.of(
                    "now",
                    NO_CLOCK,
                    "median",
                    QUANTILE,
                    "percentile",
                    QUANTILE,
                    "percentile_cont",
                    QUANTILE,
                    "quantile",
                    QUANTILE,
                    "countif",
                    "write COUNT(*) FILTER (WHERE …)",
                    "count_if",
                    "write COUNT(*) FILTER (WHERE …)",
                    "if",
                    "write CASE WHEN … THEN … ELSE … END",
                    "date_trunc",
                    "windows are made by GROUP BY TUMBLE(ts, INTERVAL '1' MINUTE)",
                    "round",
                    "FLOOR(x + 0.5) rounds");

    private static final Map<String, String> OPERATORS =
            Map.of("&", "BITAND(x, y) is", "|", "BITOR(x, y) is");

    private Spelling() {}

    /** For a text where a number is wanted. */
    static String ofNumber(String text) {
        String value = VALUES.get(text.toLowerCase(Locale.ROOT));
        if (value != null) {
            return value;
        }
        return NUMBER.matcher(text.strip()).matches()
                ? "write the number without quotes"
                : "write a number, without quotes";
    }

    /** For a column that is not there. */
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

    /** For a function that is not there. */
    static String ofFunction(String name) {
        String hint = FUNCTIONS.get(name);
        return hint != null
                ? hint
                : Suggestion.hint(name, FunctionList.names(), "SHOW FUNCTIONS lists them");
    }

    /** For an operator that is not there; null where nothing is like it. */
    static String ofOperator(String operator) {
        return OPERATORS.get(operator);
    }
}
