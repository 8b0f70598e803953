package io.weir.operators.gpv;

import io.weir.operators.graph.Expr.Variable;
import io.weir.operators.graph.Type;
import java.util.List;
import java.util.Optional;

/**
 * The columns of {@code packets} and their meaning. {@link #isCarriedBy} knows which layouts carry
 * each. No column is NULL. A value that a packet does not have is 0. Examples are the ports of a
 * later fragment and the VLAN of an untagged frame.
 */
public final class PacketColumns {
    /**
     * One column.
     *
     * @param ipfix the IPFIX information element that is the authority for its meaning, or ""
     */
    public record PacketColumn(Variable variable, String ipfix, String meaning) {
        public String name() {
            return variable.name();
        }
    }

    private static final List<PacketColumn> ALL =
            List.of(
                    column("ts", Type.TIMESTAMP, "observationTimeNanoseconds", "time of capture"),
                    column("node_id", Type.VARCHAR, "", "node that saw the packet"),
                    column("src_addr", Type.INET, "sourceIPv4Address", "source address"),
                    column("dst_addr", Type.INET, "destinationIPv4Address", "destination address"),
                    column(
                            "src_port",
                            Type.BIGINT,
                            "sourceTransportPort",
                            "TCP, UDP, SCTP; else 0"),
                    column(
                            "dst_port",
                            Type.BIGINT,
                            "destinationTransportPort",
                            "TCP, UDP, SCTP; else 0"),
                    column(
                            "proto",
                            Type.BIGINT,
                            "protocolIdentifier",
                            "protocol; IPv6: after the extension headers"),
                    column("bytes", Type.BIGINT, "ipTotalLength", "IP length"),
                    column(
                            "frame_bytes",
                            Type.BIGINT,
                            "layer2OctetDeltaCount",
                            "length on the wire, link layer included"),
                    column(
                            "payload_bytes",
                            Type.BIGINT,
                            "ipPayloadLength",
                            "IP length less the IP and transport headers"),
                    column("tcp_flags", Type.BIGINT, "tcpControlBits", "CWR … FIN; 0 without TCP"),
                    column("tcp_seq", Type.BIGINT, "tcpSequenceNumber", "0 without TCP"),
                    column("tcp_ack", Type.BIGINT, "tcpAcknowledgementNumber", "0 without TCP"),
                    column("tcp_window", Type.BIGINT, "tcpWindowSize", "as sent, not scaled"),
                    column("ip_ttl", Type.BIGINT, "ipTTL", "time to live, hop limit"),
                    column("ip_tos", Type.BIGINT, "ipClassOfService", "TOS, traffic class"),
                    column("ip_id", Type.BIGINT, "fragmentIdentification", "0 without one"),
                    column(
                            "fragment_offset",
                            Type.BIGINT,
                            "fragmentOffset",
                            "in units of 8 bytes; 0 in a first fragment"),
                    column("etype", Type.BIGINT, "ethernetType", "0x0800 or 0x86dd"),
                    column("src_mac", Type.MACADDR, "sourceMacAddress", "0 without Ethernet"),
                    column("dst_mac", Type.MACADDR, "destinationMacAddress", "0 without Ethernet"),
                    column("vlan_id", Type.BIGINT, "vlanId", "of the outermost tag; 0 without"),
                    column(
                            "in_if",
                            Type.BIGINT,
                            "ingressInterface",
                            "the system's index, or the capture's from 0"),
                    column("out_if", Type.BIGINT, "egressInterface", "0 where unknown"),
                    column("queue_id", Type.BIGINT, "", "of the switch; 0 elsewhere"),
                    column("queue_depth", Type.BIGINT, "", "of the switch; 0 elsewhere"),
                    column("queue_delay_ns", Type.BIGINT, "", "of the switch; 0 elsewhere"),
                    column("icmp_type", Type.BIGINT, "icmpTypeIPv4", "ICMP and ICMPv6; else 0"),
                    column("icmp_code", Type.BIGINT, "icmpCodeIPv4", "ICMP and ICMPv6; else 0"),
                    column(
                            "sampling_rate",
                            Type.BIGINT,
                            "samplingPacketInterval",
                            "one packet of this many was seen"),
                    column(
                            "ip_flags",
                            Type.BIGINT,
                            "fragmentFlags",
                            "DF 2, MF 1, reserved 4; of IPv6 MF"),
                    column(
                            "capture_bytes",
                            Type.BIGINT,
                            "",
                            "length as captured; less than frame_bytes if cut"),
                    column(
                            "vlan_priority",
                            Type.BIGINT,
                            "dot1qPriority",
                            "of the outermost tag; 0 without"),
                    column(
                            "inner_vlan_id",
                            Type.BIGINT,
                            "dot1qCustomerVlanId",
                            "of the second tag; 0 without"),
                    column("direction", Type.BIGINT, "", "1 in, 2 out, 0 unknown"));

    private PacketColumns() {}

    private static PacketColumn column(String name, Type type, String ipfix, String meaning) {
        return new PacketColumn(Variable.column(name, type), ipfix, meaning);
    }

    public static List<PacketColumn> all() {
        return ALL;
    }

    public static Optional<PacketColumn> find(String name) {
        return ALL.stream().filter(c -> c.name().equals(name)).findFirst();
    }

    /**
     * Returns whether GPVs of this layout have the column. It may be a field. It may also come from
     * the header's start and deltas (ts), the family (etype) or the block (node_id, sampling_rate).
     */
    public static boolean isCarriedBy(String column, GpvLayout layout) {
        return switch (column) {
            case "ts", "node_id", "etype", "sampling_rate" -> true;
            default -> layout.field(column).isPresent();
        };
    }
}
