package io.weir.sql.equery;

import io.weir.operators.gpv.PacketColumns;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** Translates Equery's names into SQL's: columns of flows, and protocols. */
final class EqueryNames {
    /** The names that differ in SQL. */
    private static final Map<String, String> COLUMNS =
            Map.of(
                    "protocol", "proto",
                    "total_count", "packets",
                    "total_byte", "bytes",
                    "stime", "time_flow_start",
                    "ltime", "time_flow_end",
                    "smac", "src_mac",
                    "dmac", "dst_mac",
                    "tcp_win", "tcp_window",
                    "ploss_count", "lost_packets",
                    "ploss_byte", "lost_bytes");

    private static final Map<String, Long> PROTOCOLS =
            Map.of(
                    "ICMP", 1L, "IGMP", 2L, "TCP", 6L, "UDP", 17L, "GRE", 47L, "ESP", 50L, "ICMPV6",
                    58L, "OSPF", 89L, "SCTP", 132L);

    private EqueryNames() {}

    /** Returns the SQL name. An unknown name stays. */
    static String column(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return COLUMNS.getOrDefault(lower, lower);
    }

    static boolean isColumn(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return COLUMNS.containsKey(lower)
                || Optional.of(lower).flatMap(PacketColumns::find).isPresent();
    }

    static OptionalLong protocol(String name) {
        Long number = PROTOCOLS.get(name.toUpperCase(Locale.ROOT));
        return number == null ? OptionalLong.empty() : OptionalLong.of(number);
    }
}
