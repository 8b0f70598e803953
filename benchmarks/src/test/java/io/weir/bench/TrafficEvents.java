package io.weir.bench;

import io.weir.bench.generate.PacketView;
import io.weir.bench.generate.TrafficShape;
import io.weir.operators.graph.Inet;
import io.weir.operators.interpret.Interpreter.Event;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Traffic as rows for the interpreter: from the generator, not from any GPV. */
final class TrafficEvents {
    private TrafficEvents() {}

    static List<Event> of(TrafficShape shape) {
        List<Event> events = new ArrayList<>();
        PacketView.each(shape, packet -> events.add(new Event(row(packet), false)));
        return events;
    }

    private static Map<String, Object> row(PacketView packet) {
        Map<String, Object> row = new HashMap<>();
        row.put("ts", packet.tsNs());
        row.put("src_addr", new Inet(packet.family(), packet.srcHigh(), packet.srcLow()));
        row.put("dst_addr", new Inet(packet.family(), packet.dstHigh(), packet.dstLow()));
        row.put("src_port", (long) packet.srcPort());
        row.put("dst_port", (long) packet.dstPort());
        row.put("proto", (long) packet.proto());
        row.put("bytes", (long) packet.bytes());
        row.put("payload_bytes", (long) packet.payloadBytes());
        row.put("fragment_offset", 0L);
        row.put("tcp_flags", (long) packet.tcpFlags());
        row.put("tcp_seq", packet.tcpSeq() & 0xffff_ffffL);
        return row;
    }
}
