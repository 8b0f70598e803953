package io.weir.ingest.source;

import io.weir.ingest.decode.PacketHeaders;
import io.weir.operators.gpv.GpvCursor;
import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.gpv.PacketColumns;
import io.weir.operators.gpv.PacketColumns.PacketColumn;
import io.weir.operators.graph.Inet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A packet as text: the columns that a layout carries, with their values. */
final class PacketRow {
    private PacketRow() {}

    /** As it went in. */
    static String of(
            PacketHeaders p, long tsNs, String node, int interfaceIndex, GpvLayout layout) {
        Map<String, Object> values = new HashMap<>();
        // A layout with deltas in microseconds drops what is below them: the tests have none.
        values.put("ts", tsNs);
        values.put("node_id", node);
        values.put("src_addr", inet(p.family, p.srcHigh, p.srcLow));
        values.put("dst_addr", inet(p.family, p.dstHigh, p.dstLow));
        values.put("src_port", (long) p.srcPort);
        values.put("dst_port", (long) p.dstPort);
        values.put("proto", (long) p.proto);
        values.put("bytes", unsigned(p.bytes));
        values.put("frame_bytes", unsigned(p.frameBytes));
        values.put("payload_bytes", unsigned(p.payloadBytes));
        values.put("tcp_flags", (long) p.tcpFlags);
        values.put("tcp_seq", unsigned(p.tcpSeq));
        values.put("tcp_ack", unsigned(p.tcpAck));
        values.put("tcp_window", (long) p.tcpWindow);
        values.put("ip_ttl", (long) p.ipTtl);
        values.put("ip_tos", (long) p.ipTos);
        values.put("ip_id", unsigned(p.ipId));
        values.put("fragment_offset", (long) p.fragmentOffset);
        values.put("etype", (long) p.etype);
        values.put("src_mac", p.srcMac);
        values.put("dst_mac", p.dstMac);
        values.put("vlan_id", (long) p.vlanId);
        values.put("in_if", (long) interfaceIndex);
        values.put("vlan_priority", (long) p.vlanPriority);
        values.put("inner_vlan_id", (long) p.innerVlanId);
        values.put("direction", (long) p.direction);
        values.put("ip_flags", (long) p.ipFlags);
        values.put("capture_bytes", (long) p.captureBytes);
        values.put("icmp_type", (long) p.icmpType);
        values.put("icmp_code", (long) p.icmpCode);
        values.put("sampling_rate", 1L);
        for (String absent : List.of("out_if", "queue_id", "queue_depth", "queue_delay_ns")) {
            values.put(absent, 0L);
        }
        return text(layout, values);
    }

    /** As it came out. */
    static String of(GpvCursor gpv, int packet, int nodeSymbol) {
        Map<String, Object> values = new HashMap<>();
        for (PacketColumn column : PacketColumns.all()) {
            if (PacketColumns.isCarriedBy(column.name(), gpv.layout())) {
                values.put(column.name(), gpv.value(column.name(), packet, nodeSymbol));
            }
        }
        return text(gpv.layout(), values);
    }

    private static String text(GpvLayout layout, Map<String, Object> values) {
        StringBuilder text = new StringBuilder();
        for (PacketColumn column : PacketColumns.all()) {
            if (PacketColumns.isCarriedBy(column.name(), layout)) {
                text.append(column.name()).append('=').append(values.get(column.name()));
                text.append(' ');
            }
        }
        return text.toString();
    }

    private static Inet inet(int family, long high, long low) {
        return family == 4 ? Inet.v4((int) low) : Inet.v6(high, low);
    }

    private static long unsigned(int value) {
        return value & 0xFFFF_FFFFL;
    }
}
