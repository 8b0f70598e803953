package io.weir.ingest.decode;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.ingest.capture.CaptureBytes;
import io.weir.ingest.traces.Tshark;
import io.weir.operators.graph.Inet;
import io.weir.operators.memory.Memory;
import io.weir.operators.memory.MemoryTag;
import io.weir.operators.memory.NativeAllocator;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Frames of link types with headers of their own, as tshark reads them. */
class LinkTypesTest {
    private static final int FRAMES = 4000;
    private static final int NANOSECONDS = 9;
    private static final List<String> FIELDS =
            List.of(
                    "ip.src",
                    "ip.dst",
                    "ip.proto",
                    "ip.len",
                    "ip.ttl",
                    "ip.id",
                    "ipv6.src",
                    "ipv6.dst",
                    "ipv6.nxt",
                    "ipv6.plen",
                    "ipv6.hlim",
                    "tcp.srcport",
                    "tcp.dstport",
                    "tcp.seq_raw",
                    "udp.srcport",
                    "udp.dstport",
                    "icmp.type",
                    "icmpv6.type",
                    "wlan.sa",
                    "wlan.da",
                    "frame.len",
                    "frame.cap_len",
                    "ip.flags",
                    "nflog.hook",
                    "nflog.ifindex_indev");

    /** By the hook of the packet filter: before and after routing, local, forwarded. */
    private static final Map<String, String> DIRECTIONS =
            Map.of("0", "1", "1", "1", "2", "0", "3", "2", "4", "2");

    @TempDir Path folder;

    private final PacketHeaders headers = new PacketHeaders();

    @ParameterizedTest
    @ValueSource(strings = {"LITTLE_ENDIAN", "BIG_ENDIAN"})
    void readsThemAsTsharkDoes(String order) throws Exception {
        Tshark.assumeThere();
        long seed = Long.getLong("weir.seed", 1);
        Random random = new Random(seed);
        boolean little = order.equals("LITTLE_ENDIAN");
        List<LinkFrame> frames = new ArrayList<>();
        for (int i = 0; i < FRAMES; i++) {
            frames.add(new LinkFrame(random, little));
        }
        List<Map<String, String>> seen = Tshark.fields(capture(frames, little), FIELDS);
        assertEquals(FRAMES, seen.size());
        int rows = 0;
        try (NativeAllocator allocator = new NativeAllocator(1 << 20)) {
            long address = allocator.allocate(4096, MemoryTag.TEST);
            List<Executable> checks = new ArrayList<>();
            for (int i = 0; i < FRAMES; i++) {
                LinkFrame frame = frames.get(i);
                Map<String, String> columns = columns(frame, address);
                Map<String, String> expected = expected(seen.get(i));
                String at = "seed " + seed + ", frame " + i + " of link type " + frame.linkType;
                checks.add(() -> assertEquals(expected, columns, at));
                rows += columns.isEmpty() ? 0 : 1;
            }
            allocator.free(address, 4096, MemoryTag.TEST);
            assertAll(checks);
        }
        assertTrue(rows > FRAMES / 2);
    }

    /** Bytes behind the captured ones change nothing. */
    @Test
    void readsNothingBehindTheCapturedBytes() {
        long seed = Long.getLong("weir.seed", 1);
        Random random = new Random(seed);
        try (NativeAllocator allocator = new NativeAllocator(1 << 20)) {
            long address = allocator.allocate(4096, MemoryTag.TEST);
            for (int i = 0; i < FRAMES; i++) {
                LinkFrame frame = new LinkFrame(random, random.nextBoolean());
                int captured = random.nextInt(frame.bytes.length + 1);
                int spoiled = captured == 0 ? 0 : random.nextInt(captured);
                frame.bytes[spoiled] ^= (byte) (random.nextInt(3) == 0 ? random.nextInt() : 0);
                String cut = state(frame, address, captured, 0);
                String other = state(frame, address, captured, 0xFF);
                assertEquals(cut, other, "seed " + seed + ", frame " + i + " cut at " + captured);
            }
            allocator.free(address, 4096, MemoryTag.TEST);
        }
    }

    private String state(LinkFrame frame, long address, int captured, int behind) {
        int length = frame.bytes.length;
        for (int i = 0; i < 4096; i++) {
            Memory.putByte(address + i, i < captured ? frame.bytes[i] : (byte) behind);
        }
        int code = PacketDecoder.decode(address, captured, length, frame.linkType, headers);
        if (code != PacketDecoder.IP_PACKET) {
            return Exclusion.of(code).label();
        }
        return Stream.of(PacketHeaders.class.getFields())
                .filter(field -> !Modifier.isStatic(field.getModifiers()))
                .map(this::text)
                .collect(Collectors.joining(" "));
    }

    private String text(Field field) {
        try {
            return field.getName() + "=" + field.get(headers);
        } catch (IllegalAccessException e) {
            throw new LinkageError(e.getMessage(), e);
        }
    }

    /** Each link type is an interface of its own. */
    private Path capture(List<LinkFrame> frames, boolean little) {
        ByteOrder order = little ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
        CaptureBytes capture = new CaptureBytes(order).section();
        List<Integer> types = frames.stream().map(frame -> frame.linkType).distinct().toList();
        types.forEach(type -> capture.networkInterface(type, NANOSECONDS, 0));
        for (int i = 0; i < frames.size(); i++) {
            LinkFrame frame = frames.get(i);
            int on = types.indexOf(frame.linkType);
            capture.enhanced(on, 1_700_000_000_000_000_000L + i, frame.bytes, frame.bytes.length);
        }
        return capture.in(folder, "frames.pcapng");
    }

    private Map<String, String> columns(LinkFrame frame, long address) {
        int length = frame.bytes.length;
        for (int i = 0; i < length; i++) {
            Memory.putByte(address + i, frame.bytes[i]);
        }
        int code = PacketDecoder.decode(address, length, length, frame.linkType, headers);
        Map<String, String> columns = new LinkedHashMap<>();
        if (code != PacketDecoder.IP_PACKET) {
            return columns;
        }
        boolean v4 = headers.family == 4;
        columns.put("src", inet(v4, headers.srcHigh, headers.srcLow));
        columns.put("dst", inet(v4, headers.dstHigh, headers.dstLow));
        columns.put("proto", "" + headers.proto);
        columns.put("bytes", "" + headers.bytes);
        columns.put("ttl", "" + headers.ipTtl);
        columns.put("ip_id", "" + headers.ipId);
        columns.put("ports", headers.srcPort + " " + headers.dstPort);
        columns.put("seq", "" + Integer.toUnsignedLong(headers.tcpSeq));
        columns.put("icmp", "" + headers.icmpType);
        columns.put("frame_bytes", "" + headers.frameBytes);
        columns.put("capture_bytes", "" + headers.captureBytes);
        columns.put("ip_flags", "" + headers.ipFlags);
        columns.put("in_if", "" + headers.inIf);
        columns.put("direction", "" + headers.direction);
        boolean wlan = frame.linkType == 105 || frame.linkType == 127;
        columns.put("macs", wlan ? mac(headers.srcMac) + " " + mac(headers.dstMac) : "");
        return columns;
    }

    private static String inet(boolean v4, long high, long low) {
        return (v4 ? Inet.v4((int) low) : Inet.v6(high, low)).toString();
    }

    private static String mac(long mac) {
        return String.format("%012x", mac).replaceAll("..(?!$)", "$0:");
    }

    private static Map<String, String> expected(Map<String, String> seen) {
        boolean v4 = !seen.get("ip.src").isEmpty();
        Map<String, String> columns = new LinkedHashMap<>();
        if (!v4 && seen.get("ipv6.src").isEmpty()) {
            return columns;
        }
        columns.put("src", v4 ? seen.get("ip.src") : seen.get("ipv6.src"));
        columns.put("dst", v4 ? seen.get("ip.dst") : seen.get("ipv6.dst"));
        columns.put("proto", "" + Tshark.number(v4 ? seen.get("ip.proto") : seen.get("ipv6.nxt")));
        long v6Bytes = 40 + Tshark.number(seen.get("ipv6.plen"));
        columns.put("bytes", "" + (v4 ? Tshark.number(seen.get("ip.len")) : v6Bytes));
        columns.put("ttl", "" + Tshark.number(v4 ? seen.get("ip.ttl") : seen.get("ipv6.hlim")));
        columns.put("ip_id", "" + Tshark.number(seen.get("ip.id")));
        String transport = seen.get("udp.srcport").isEmpty() ? "tcp" : "udp";
        long from = Tshark.number(seen.get(transport + ".srcport"));
        columns.put("ports", from + " " + Tshark.number(seen.get(transport + ".dstport")));
        columns.put("seq", "" + Tshark.number(seen.get("tcp.seq_raw")));
        String icmp = v4 ? "icmp.type" : "icmpv6.type";
        columns.put("icmp", "" + Tshark.number(seen.get(icmp)));
        columns.put("frame_bytes", seen.get("frame.len"));
        columns.put("capture_bytes", seen.get("frame.cap_len"));
        columns.put("ip_flags", "" + Tshark.number(seen.get("ip.flags")));
        String device = seen.get("nflog.ifindex_indev");
        columns.put("in_if", device.isEmpty() ? "-1" : device);
        columns.put("direction", DIRECTIONS.getOrDefault(seen.get("nflog.hook"), "0"));
        columns.put("macs", (seen.get("wlan.sa") + " " + seen.get("wlan.da")).strip());
        return columns;
    }
}
