package io.weir.operators.gpv;

import static io.weir.operators.gpv.Field.header;
import static io.weir.operators.gpv.Field.headerBits;
import static io.weir.operators.gpv.Field.tuple;
import static io.weir.operators.gpv.Field.tupleBits;

import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A grouped packet vector as bytes: a header with the flow key, then {@code count} tuples, one a
 * packet. They are in order of arrival with times that never go back. A layout is data; writers,
 * cursors and kernels are made for it.
 *
 * <pre>
 * flow32, IPv4 (the ATC 2018 paper's), big endian     flow32, IPv6
 *   0 src_addr 4   4 dst_addr 4                          0 src_addr 16  16 dst_addr 16
 *   8 src_port 2  10 dst_port 2                         32 src_port 2   34 dst_port 2
 *  12 proto 1     13 in_if 1     14 count 2             36 proto 1      37 in_if 1     38 count 2
 *  16 start 8 (ns since the epoch)                      40 start 8
 *  24 tuples: 20 bits delta (us) | 11 bytes | 1 queue   48 tuples
 *
 * flow64: the same with 8-byte tuples: the flow32 tuple, then tcp_seq 4
 *
 * full, IPv4, little endian                           full, IPv6
 *   0 src_addr 4   4 dst_addr 4                          0 src_addr 16  16 dst_addr 16
 *   8 src_port 2  10 dst_port 2                         32 src_port 2   34 dst_port 2
 *  12 proto 1     13 unused 1    14 count 2             36 proto 1      37 unused 1    38 count 2
 *  16 start 8                                           40 start 8
 *  24 inner_vlan_id 2   26 src_mac 6                    48 inner_vlan_id 2   50 src_mac 6
 *  32 direction 2       34 dst_mac 6                    56 direction 2       58 dst_mac 6
 *  40 tag 2       42 etype 2     44 in_if 4             64 tag 2        66 etype 2     68 in_if 4
 *  48 out_if 4    52 queue_id 2  54 unused 2            72 out_if 4     76 queue_id 2  78 unused 2
 *  56 tuples of 48 bytes                                80 tuples of 48 bytes
 *  tag: 12 bits vlan_id | 1 unused | 3 vlan_priority
 *
 * full tuple
 *   0 delta (ns) 4     4 bytes 4         8 frame_bytes 4     12 payload_bytes 4
 *  16 tcp_seq 4       20 tcp_ack 4      24 tcp_window 2      26 tcp_flags 2
 *  28 ip_ttl 1        29 ip_tos 1       30 fragment 2: 3 bits ip_flags | 13 fragment_offset
 *  32 ip_id 4         36 icmp_type 1    37 icmp_code 1
 *  38 capture_bytes 3 41 queue_depth 3  44 queue_delay_ns 4
 * </pre>
 *
 * The time of a packet is {@code start + delta · deltaUnitNs}. Sources: *Flow (USENIX ATC 2018)
 * section 4 for flow32; IPFIX for the meaning of the columns.
 *
 * @param id as segments of blocks carry it
 * @param family 4 or 6
 * @param deltaUnitNs what one unit of a tuple's delta is worth
 */
public record GpvLayout(
        int id,
        String name,
        int family,
        ByteOrder order,
        int headerBytes,
        int tupleBytes,
        int deltaUnitNs,
        List<Field> fields) {
    /** Structural fields: not columns. */
    public static final String COUNT = "#count";

    public static final String START = "#start";
    public static final String DELTA = "#delta";
    public static final String QUEUE_FLAG = "#queue_flag";

    /** The largest value of {@code capture_bytes}: a longer capture has this one. */
    public static final int MOST_CAPTURE_BYTES = 0xFF_FFFF;

    public static final GpvLayout FLOW32_V4 = flow(0, "flow32", 4, 4);
    public static final GpvLayout FLOW32_V6 = flow(1, "flow32", 6, 4);
    public static final GpvLayout FLOW64_V4 = flow(2, "flow64", 4, 8);
    public static final GpvLayout FLOW64_V6 = flow(3, "flow64", 6, 8);
    public static final GpvLayout FULL_V4 = full(4, 4);
    public static final GpvLayout FULL_V6 = full(5, 6);

    private static final List<GpvLayout> ALL =
            List.of(FLOW32_V4, FLOW32_V6, FLOW64_V4, FLOW64_V6, FULL_V4, FULL_V6);

    public GpvLayout {
        fields = List.copyOf(fields);
    }

    /** All layouts; the index of each is its id. */
    public static List<GpvLayout> all() {
        return ALL;
    }

    /** The layout of this name and family. */
    public static Optional<GpvLayout> of(String name, int family) {
        return ALL.stream().filter(l -> l.family == family && l.name.equals(name)).findFirst();
    }

    public Optional<Field> field(String fieldName) {
        return fields.stream().filter(f -> f.name().equals(fieldName)).findFirst();
    }

    /** Bytes of a GPV of {@code count} packets. */
    public int gpvBytes(int count) {
        return headerBytes + count * tupleBytes;
    }

    /** Returns the number of a query's tables for the family: 0 for IPv4, 1 for IPv6. */
    public int tables() {
        return family == 6 ? 1 : 0;
    }

    /** The largest delta that a tuple holds, in its units. */
    public long maxDelta() {
        return (1L << field(DELTA).orElseThrow().bits()) - 1;
    }

    private static List<Field> flowKey(int addressBytes) {
        int ports = 2 * addressBytes;
        return List.of(
                header("src_addr", 0, addressBytes),
                header("dst_addr", addressBytes, addressBytes),
                header("src_port", ports, 2),
                header("dst_port", ports + 2, 2),
                header("proto", ports + 4, 1),
                header(COUNT, ports + 6, 2),
                header(START, ports + 8, 8));
    }

    private static GpvLayout flow(int id, String name, int family, int tupleBytes) {
        int addressBytes = family == 4 ? 4 : 16;
        List<Field> fields = new ArrayList<>(flowKey(addressBytes));
        fields.add(header("in_if", 2 * addressBytes + 5, 1));
        fields.add(tupleBits(DELTA, 0, 4, 12, 20));
        fields.add(tupleBits("bytes", 0, 4, 1, 11));
        fields.add(tupleBits(QUEUE_FLAG, 0, 4, 0, 1));
        if (tupleBytes == 8) {
            fields.add(tuple("tcp_seq", 4, 4));
        }
        int headerBytes = 2 * addressBytes + 16;
        return new GpvLayout(
                id, name, family, ByteOrder.BIG_ENDIAN, headerBytes, tupleBytes, 1000, fields);
    }

    private static GpvLayout full(int id, int family) {
        int addressBytes = family == 4 ? 4 : 16;
        int rest = 2 * addressBytes + 16;
        List<Field> fields = new ArrayList<>(flowKey(addressBytes));
        fields.addAll(
                Arrays.asList(
                        header("inner_vlan_id", rest, 2),
                        headerBits("src_mac", rest, 8, 16, 48),
                        header("direction", rest + 8, 2),
                        headerBits("dst_mac", rest + 8, 8, 16, 48),
                        headerBits("vlan_priority", rest + 16, 2, 0, 3),
                        headerBits("vlan_id", rest + 16, 2, 4, 12),
                        header("etype", rest + 18, 2),
                        header("in_if", rest + 20, 4),
                        header("out_if", rest + 24, 4),
                        header("queue_id", rest + 28, 2),
                        tuple(DELTA, 0, 4),
                        tuple("bytes", 4, 4),
                        tuple("frame_bytes", 8, 4),
                        tuple("payload_bytes", 12, 4),
                        tuple("tcp_seq", 16, 4),
                        tuple("tcp_ack", 20, 4),
                        tuple("tcp_window", 24, 2),
                        tuple("tcp_flags", 26, 2),
                        tuple("ip_ttl", 28, 1),
                        tuple("ip_tos", 29, 1),
                        tupleBits("fragment_offset", 30, 2, 0, 13),
                        tupleBits("ip_flags", 30, 2, 13, 3),
                        tuple("ip_id", 32, 4),
                        tuple("icmp_type", 36, 1),
                        tuple("icmp_code", 37, 1),
                        tupleBits("capture_bytes", 38, 4, 0, 24),
                        tupleBits("queue_depth", 40, 4, 8, 24),
                        tuple("queue_delay_ns", 44, 4)));
        int headerBytes = rest + 32;
        return new GpvLayout(
                id, "full", family, ByteOrder.LITTLE_ENDIAN, headerBytes, 48, 1, fields);
    }
}
