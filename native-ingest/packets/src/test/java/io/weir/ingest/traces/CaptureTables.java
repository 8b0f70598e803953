package io.weir.ingest.traces;

import io.weir.ingest.capture.CaptureFile;
import io.weir.ingest.capture.Captures;
import io.weir.ingest.decode.Exclusion;
import io.weir.ingest.decode.HeaderGap;
import io.weir.ingest.decode.PacketDecoder;
import io.weir.ingest.decode.PacketHeaders;
import io.weir.operators.graph.Inet;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** What the answers ask of one capture, from what our reader and decoder say. */
final class CaptureTables {
    final Tally fiveTuples = new Tally(3, 0, true);
    final Tally sources = new Tally(2, 0, false);
    final Tally destinations = new Tally(10, 1, false);
    final Tally protocols = new Tally(2, 0, false);
    final Tally seconds = new Tally(2, 2, false);
    final Tally icmp = new Tally(1, 0, false);
    final Tally vlans = new Tally(1, 0, false);
    final Tally tcp = new Tally(3, 0, false);

    /** Totals, by the names that summary.jsonl has for them. */
    final Map<String, Long> totals = new TreeMap<>();

    private final PacketHeaders headers = new PacketHeaders();

    static CaptureTables of(Path path) {
        CaptureTables tables = new CaptureTables();
        try (CaptureFile file = Captures.open(path)) {
            while (file.next()) {
                tables.add(file);
            }
        }
        return tables;
    }

    private void total(String name, long value) {
        totals.merge(name, value, Long::sum);
    }

    private void total(String name, boolean counts) {
        total(name, counts ? 1 : 0);
    }

    private void add(CaptureFile file) {
        total("packets", 1);
        total("wire_bytes", file.wireLen());
        total("cap_bytes", file.capLen());
        int code =
                PacketDecoder.decode(
                        file.address(), file.capLen(), file.wireLen(), file.linkType(), headers);
        if (headers.vlanId != 0) {
            // The answers count tags of all frames; the decoder has met the tag of an excluded one.
            vlans.row("0," + headers.vlanId).add(1);
        }
        if (code != PacketDecoder.IP_PACKET) {
            total("excluded_" + Exclusion.of(code).label(), 1);
            return;
        }
        String src = address(headers.srcHigh, headers.srcLow);
        long bytes = bytes();
        total("ipv" + headers.family + "_all_encaps", 1);
        sources.row(src).add(1, bytes);
        if (headers.encapsulation == PacketHeaders.STANDARD) {
            addStandard(file.tsNs(), file.wireLen(), src, bytes);
        }
    }

    private boolean isGap(HeaderGap gap) {
        return headers.gap == gap.code();
    }

    /** The answers keep a length of 0. */
    private long bytes() {
        boolean told = headers.lengthFrom == PacketHeaders.IP_HEADER;
        return told ? headers.bytes & 0xFFFF_FFFFL : headers.family == 4 ? 0 : 40;
    }

    /** To the answers, a transport header is there when all of its fixed part is. */
    private boolean isTransportRead() {
        return isGap(HeaderGap.NONE) && headers.transportBytes > 0;
    }

    private void addStandard(long tsNs, long wireBytes, String src, long bytes) {
        PacketHeaders p = headers;
        String dst = address(p.dstHigh, p.dstLow);
        boolean read = isTransportRead();
        boolean ports = read && (p.proto == 6 || p.proto == 17 || p.proto == 132);
        String ends = src + "," + dst + "," + p.proto + ",";
        ends += ports ? p.srcPort + "," + p.dstPort : "0,0";
        String flow = ends + "," + (ports ? 1 : 0);
        fiveTuples.row(flow).add(1, bytes, wireBytes).at(tsNs);
        protocols.row(p.family + "," + p.proto).add(1, bytes);
        seconds.row(Long.toString(Math.floorDiv(tsNs, 1_000_000_000L)))
                .add(1, bytes)
                .seen(src, flow);
        boolean tcpRead = read && p.proto == 6;
        int flags = tcpRead ? p.tcpFlags : 0;
        destinations
                .row(dst)
                .add(1, bytes, wireBytes, tcpRead ? 1 : 0, (flags & 0x12) == 2 ? 1 : 0)
                .add(0, 0, 0, 0, 0, flags == 2 ? 1 : 0, (flags & 0x12) == 0x12 ? 1 : 0)
                .add(0, 0, 0, 0, 0, 0, 0, flags & 1, flags >> 2 & 1, flags == 0x10 ? 1 : 0)
                .seen(src);
        if (read && (p.proto == 1 || p.proto == 58)) {
            icmp.row(p.family + "," + p.icmpType + "," + p.icmpCode).add(1);
        }
        if (tcpRead) {
            tcp.row(ends).add(1, p.payloadBytes, p.payloadBytes > 0 ? 1 : 0);
        }
        totals(bytes);
    }

    private void totals(long bytes) {
        PacketHeaders p = headers;
        boolean read = isTransportRead();
        total("ipv" + p.family, 1);
        total("ip_bytes", bytes);
        total("ip_bytes_tso_fixed", p.family == 4 ? p.bytes & 0xFFFF_FFFFL : bytes);
        total("ip_len_zero", p.family == 4 && p.lengthFrom == PacketHeaders.WIRE);
        total("tcp_hdr", read && p.proto == 6);
        total("udp_hdr", read && p.proto == 17);
        total("icmp_hdr", read && p.proto == 1);
        total("icmpv6_hdr", read && p.proto == 58);
        total("frag_v4_later", p.family == 4 && p.fragmentOffset > 0);
        total("frag_v6_later", p.family == 6 && p.fragmentOffset > 0);
    }

    private String address(long high, long low) {
        return (headers.family == 4 ? Inet.v4((int) low) : Inet.v6(high, low)).toString();
    }
}
