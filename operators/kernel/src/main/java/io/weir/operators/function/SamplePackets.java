package io.weir.operators.function;

import io.weir.operators.graph.Inet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The packets that examples of the reference page are about: four of one flow. Columns that are not
 * named have 0.
 */
public final class SamplePackets {
    /** 2026-11-20 13:45:00 UTC. */
    private static final long START_NS = 1_795_182_300_000_000_000L;

    private static final long MS = 1_000_000;

    private SamplePackets() {}

    /**
     * Returns columns of packets, by name: a Long or an {@link Inet}. They are in order of time.
     */
    public static List<Map<String, Object>> all() {
        return List.of(
                packet(0, 60, 0x02, 1_000, 64),
                packet(250, 1_500, 0x10, 2_461, 62),
                packet(500, 1_500, 0x18, 1_001, 60),
                packet(1_750, 52, 0x11, 3_921, 58));
    }

    private static Map<String, Object> packet(
            long ms, long bytes, long flags, long sequence, long ttl) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("ts", START_NS + ms * MS);
        row.put("src_addr", Inet.v4(0xC000_020A));
        row.put("dst_addr", Inet.v4(0xC633_6405));
        row.put("src_port", 40_000L);
        row.put("dst_port", 443L);
        row.put("proto", 6L);
        row.put("bytes", bytes);
        row.put("payload_bytes", Math.max(0, bytes - 40));
        row.put("tcp_flags", flags);
        row.put("tcp_seq", sequence);
        row.put("ip_ttl", ttl);
        return row;
    }
}
