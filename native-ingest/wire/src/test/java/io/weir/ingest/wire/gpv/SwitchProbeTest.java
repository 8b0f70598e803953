package io.weir.ingest.wire.gpv;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.ingest.wire.SocketLibrary;
import io.weir.operators.gpv.GpvCursor;
import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.memory.Memory;
import io.weir.operators.memory.MemoryTag;
import io.weir.operators.memory.NativeAllocator;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** DPDK's software switch writes blocks by the probe's specification, and the host takes them. */
class SwitchProbeTest {
    private static final Path PROBE = BlockFormatTest.HOUSE.resolve("p4/probe");
    private static final int FRAMES = 300;

    /** Bytes of Ethernet, IPv4 and UDP before the datagram. */
    private static final int OUTER_BYTES = 42;

    private static final int ROOM = 4096;

    @TempDir private Path folder;

    @Test
    void theSpecificationIsOfItsSource() throws Exception {
        byte[] source = Files.readAllBytes(PROBE.resolve("probe.p4"));
        byte[] hash = MessageDigest.getInstance("SHA-256").digest(source);
        String first = Files.readAllLines(PROBE.resolve("probe.spec")).get(0);
        assertEquals("; probe.p4 sha256 " + HexFormat.of().formatHex(hash), first);
    }

    @Test
    void bothDescribeTheBlock() throws IOException {
        List<String> block =
                WireBlock.FIELDS.stream().map(f -> f.name() + " " + 8 * f.bytes()).toList();
        assertEquals(block, fields("probe.spec", "struct block_h \\{([^}]*)\\}"));
        assertEquals(block, fields("probe.p4", "header block_h \\{([^}]*)\\}"));
    }

    private static List<String> fields(String file, String struct) throws IOException {
        String text = Files.readString(PROBE.resolve(file));
        MatchResult body =
                Pattern.compile(struct).matcher(text).results().findFirst().orElseThrow();
        return Pattern.compile("bit<(\\d+)> (\\w+)")
                .matcher(body.group(1))
                .results()
                .map(field -> field.group(2) + " " + field.group(1))
                .toList();
    }

    @Test
    void theHostTakesItsDatagrams() throws Exception {
        Assumptions.assumeTrue(SocketLibrary.isLoaded(), "skipped: no C compiler at build");
        Assumptions.assumeTrue(
                isDone(
                        "cc -std=gnu17 -O1 -Wall -Wextra -Werror -DALLOW_EXPERIMENTAL_API"
                                + " $(pkg-config --cflags libdpdk) -o swx '"
                                + PROBE.resolve("swx.c")
                                + "' -lrte_pipeline"
                                + " -lrte_port -lrte_mbuf -lrte_mempool -lrte_eal"),
                "skipped: no cc or no libdpdk-dev");
        Random random = new Random(Long.getLong("weir.seed", 3));
        Path in = folder.resolve("in.pcap");
        Path out = folder.resolve("out.pcap");
        List<String> sent = writeFrames(in, random);
        boolean ran = isDone("./swx '" + PROBE.resolve("probe.spec") + "' in.pcap out.pcap");
        assertTrue(ran, this::log);
        assertEquals(sent, received(out));
    }

    private boolean isDone(String command) throws Exception {
        return new ProcessBuilder("sh", "-c", command)
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("log").toFile())
                        .start()
                        .waitFor()
                == 0;
    }

    private String log() {
        try {
            return Files.readString(folder.resolve("log"), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return e.toString();
        }
    }

    /** Frames behind the shim that carries time, port and length. */
    private static List<String> writeFrames(Path to, Random random) throws IOException {
        ByteBuffer pcap = ByteBuffer.allocate(1 << 17).order(ByteOrder.LITTLE_ENDIAN);
        pcap.putInt(0xA1B2C3D4).putShort((short) 2).putShort((short) 4);
        pcap.putInt(0).putInt(0).putInt(65535).putInt(1);
        List<String> rows = new ArrayList<>();
        for (int i = 0; i < FRAMES; i++) {
            ByteBuffer frame = ByteBuffer.allocate(54 + random.nextInt(60));
            long ns = random.nextLong() >>> 2;
            int bytes = random.nextInt(2048);
            int from = random.nextInt();
            int to4 = random.nextInt();
            int port = random.nextInt(1 << 16);
            int proto = random.nextInt(256);
            int ingress = random.nextInt(256);
            frame.putLong(ns).putShort((short) ingress).putShort((short) 0).putInt(0);
            frame.put(new byte[12]).putShort((short) 0x800);
            frame.put((byte) 0x45).put((byte) 0).putShort((short) bytes).putInt(0);
            frame.put((byte) 64).put((byte) proto).putShort((short) 0).putInt(from).putInt(to4);
            frame.putShort((short) port).putShort((short) 80);
            pcap.putInt(0).putInt(0).putInt(frame.capacity()).putInt(frame.capacity());
            pcap.put(frame.array());
            rows.add(
                    Stream.of(i, i, from, to4, port, 80, proto, ingress, ns, bytes)
                            .map(Object::toString)
                            .toList()
                            .toString());
        }
        Files.write(to, java.util.Arrays.copyOf(pcap.array(), pcap.position()));
        return rows;
    }

    private static List<String> received(Path from) throws IOException {
        ByteBuffer pcap = ByteBuffer.wrap(Files.readAllBytes(from)).order(ByteOrder.LITTLE_ENDIAN);
        List<String> rows = new ArrayList<>();
        try (NativeAllocator allocator = new NativeAllocator(1 << 20)) {
            long room = allocator.allocate(ROOM, MemoryTag.TEST);
            for (int at = 24; at < pcap.capacity(); at += 16 + pcap.getInt(at + 8)) {
                ByteBuffer frame = pcap.slice(at + 16, pcap.getInt(at + 8));
                rows.add(row(frame.order(ByteOrder.BIG_ENDIAN), room));
            }
            allocator.free(room, ROOM, MemoryTag.TEST);
        }
        return rows;
    }

    private static String row(ByteBuffer frame, long room) {
        assertEquals(0xFFFF, ipSum(frame), "the checksum of IPv4");
        int length = frame.getShort(38) - 8;
        assertEquals(frame.getShort(16) - 28, length);
        for (int i = 0; i < length; i++) {
            Memory.putByte(room + 128 + i, frame.get(OUTER_BYTES + i));
        }
        assertEquals(0, UdpBlocks.check(room + 128, length, room));
        ReceivedBlock block = new ReceivedBlock().wrap(room);
        GpvCursor gpv = new GpvCursor(GpvLayout.all().get(block.layoutId()));
        gpv.wrap(block.gpvsAddress());
        assertEquals(1, gpv.count());
        List<Object> row = new ArrayList<>(List.of(block.sequence(), block.total()));
        row.add((int) word(gpv, "src_addr"));
        row.add((int) word(gpv, "dst_addr"));
        for (String name : List.of("src_port", "dst_port", "proto", "in_if")) {
            row.add(word(gpv, name));
        }
        row.add(gpv.tsNs(0));
        row.add(word(gpv, "bytes"));
        return row.toString();
    }

    private static long word(GpvCursor gpv, String name) {
        return gpv.word(gpv.layout().field(name).orElseThrow(), 0);
    }

    private static int ipSum(ByteBuffer frame) {
        int sum = 0;
        for (int at = 14; at < 34; at += 2) {
            sum += frame.getShort(at) & 0xFFFF;
        }
        return (sum & 0xFFFF) + (sum >>> 16);
    }
}
