package io.weir.operators.node;

import io.weir.operators.graph.Inet;
import io.weir.operators.map.Hash;
import java.util.HashMap;
import java.util.Map;

/** A packet as values, with what the tests' queries look at. */
record Packet(long tsNs, Inet src, Inet dst, long srcPort, long dstPort, long proto, long bytes) {

    /** All packets of a flow are in one GPV at a time. */
    record Flow(Inet src, Inet dst, long srcPort, long dstPort, long proto) {}

    Flow flow() {
        return new Flow(src, dst, srcPort, dstPort, proto);
    }

    int ring(int rings) {
        long hash = Hash.mix(Hash.of(src.high(), src.low()), dst.high());
        return Hash.bucket(Hash.mix(hash, dst.low()), rings);
    }

    Map<String, Object> row() {
        Map<String, Object> row = new HashMap<>();
        row.put("ts", tsNs);
        row.put("src_addr", src);
        row.put("dst_addr", dst);
        row.put("src_port", srcPort);
        row.put("dst_port", dstPort);
        row.put("proto", proto);
        row.put("bytes", bytes);
        return row;
    }
}
