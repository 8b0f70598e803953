package io.weir.ingest.capture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.memory.Fifo;
import io.weir.operators.memory.Memory;
import io.weir.operators.memory.NativeAllocator;
import io.weir.testing.Await;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Compressed captures give the packets of the captures in them. */
class CompressedCaptureTest {
    @TempDir Path folder;

    private final long seed = Long.getLong("weir.seed", 1);
    private final Random random = new Random(seed);

    @ParameterizedTest
    @EnumSource
    void theyGiveThePacketsOfThePlainFile(Compression compression) throws IOException {
        for (int i = 0; i < 8; i++) {
            byte[] plain = capture(random.nextInt(400));
            List<String> expected = packets(write("plain", plain));
            List<String> seen = packets(write("packed", packed(compression, plain)));
            assertEquals(expected, seen, "seed " + seed + ", capture " + i);
        }
    }

    /** No collection has to come first. */
    @Test
    void aClosedFileHasGivenItsMemoryBack() throws IOException {
        Path file = write("packed", packed(Compression.GZIP, capture(100)));
        packets(file);
        long before = directBytes();
        long most = before + (8 << 20);
        for (int i = 0; i < 64; i++) {
            packets(file);
        }
        Await.until( // its thread ends soon
                () -> directBytes() <= most, () -> before + " bytes before, now " + directBytes());
    }

    private static long directBytes() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .mapToLong(BufferPoolMXBean::getMemoryUsed)
                .sum();
    }

    /** A first part of the packets comes, and a note. */
    @ParameterizedTest
    @EnumSource
    void damageEndsThem(Compression compression) throws IOException {
        int withPackets = 0;
        for (int i = 0; i < 40; i++) {
            byte[] plain = capture(800);
            List<String> expected = packets(write("plain", plain));
            byte[] packed = packed(compression, plain);
            if (random.nextBoolean()) {
                packed = Arrays.copyOf(packed, 1 + random.nextInt(packed.length - 1));
            } else {
                packed[random.nextInt(packed.length)] ^= (byte) (1 << random.nextInt(8));
            }
            String at = "seed " + seed + ", capture " + i;
            withPackets += checkDamaged(write("damaged", packed), expected, at);
        }
        assertTrue(withPackets > 0, withPackets + " captures had packets");
    }

    /** Returns 1 if there were packets before the damage, and a note about it. */
    private int checkDamaged(Path file, List<String> expected, String at) {
        List<String> seen = new ArrayList<>();
        try (CaptureFile capture = Captures.open(file)) {
            read(capture, seen);
            boolean noted = capture.ending() == Ending.DAMAGED_COMPRESSION;
            assertEquals(
                    noted ? 1 : 0,
                    capture.notes().stream().filter(n -> n.contains("compressed data")).count(),
                    at);
            if (noted) {
                assertTrue(seen.size() <= expected.size(), at);
                return seen.isEmpty() ? 0 : 1;
            }
        } catch (WeirException e) {
            assertEquals(ErrorCode.NOT_A_CAPTURE, e.code(), at);
        }
        return 0;
    }

    /** A part of 100 MB of zeros is no capture, and is found out after a few bytes. */
    @Test
    void aBombIsNoCapture() throws IOException {
        byte[] header =
                new CaptureBytes(ByteOrder.LITTLE_ENDIAN)
                        .pcap(CaptureBytes.MICROSECONDS, 96, 1)
                        .ints(0, 0, -1, -1)
                        .array();
        byte[] bomb = Arrays.copyOf(header, 100 << 20);
        Path file = write("bomb", packed(Compression.ZSTANDARD, bomb));
        assertTrue(Files.size(file) < 100_000);
        try (CaptureFile capture = Captures.open(file)) {
            assertEquals(List.of(), read(capture, new ArrayList<>()));
            assertEquals(Ending.IMPOSSIBLE_LENGTH, capture.ending());
        }
    }

    @ParameterizedTest
    @EnumSource
    void theyComeByPipesToo(Compression compression) throws Exception {
        byte[] plain = capture(3000);
        List<String> expected = packets(write("plain", plain));
        Path pipe = Fifo.in(folder, "pipe");
        Thread writer = Fifo.write(pipe, packed(compression, plain), random.nextLong());
        try (NativeAllocator allocator = new NativeAllocator(1 << 24);
                CaptureFile capture = Captures.open(pipe, allocator)) {
            assertEquals(expected, read(capture, new ArrayList<>()));
            assertEquals(Ending.WHOLE, capture.ending());
        }
        writer.join();
    }

    private byte[] capture(int packets) {
        CaptureBytes capture = new CaptureBytes(ByteOrder.LITTLE_ENDIAN);
        boolean pcapng = random.nextBoolean();
        if (pcapng) {
            capture.section().networkInterface(1, 6, 0);
        } else {
            capture.pcap(CaptureBytes.MICROSECONDS, 65_535, 1);
        }
        for (int i = 0; i < packets; i++) {
            byte[] packet = new byte[random.nextInt(1500)];
            random.nextBytes(packet);
            Arrays.fill(packet, packet.length / 3, packet.length, (byte) i);
            if (pcapng) {
                capture.enhanced(0, i, packet, packet.length);
            } else {
                capture.record(i, i, packet, packet.length);
            }
        }
        return capture.array();
    }

    private Path write(String name, byte[] bytes) throws IOException {
        return Files.write(folder.resolve(name), bytes);
    }

    /** Packs it in one stream, or in two, one behind the other. */
    private byte[] packed(Compression compression, byte[] plain) throws IOException {
        int middle = random.nextBoolean() ? random.nextInt(plain.length) : plain.length;
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        Packing.pack(compression, packed, plain, 0, middle);
        if (middle < plain.length) {
            Packing.pack(compression, packed, plain, middle, plain.length - middle);
        }
        return packed.toByteArray();
    }

    private static List<String> packets(Path file) {
        try (CaptureFile capture = Captures.open(file)) {
            List<String> packets = read(capture, new ArrayList<>());
            assertEquals(List.of(), capture.notes());
            return packets;
        }
    }

    private static List<String> read(CaptureFile capture, List<String> to) {
        while (!capture.hasEnded()) {
            if (capture.next()) {
                int sum = 0;
                for (int i = 0; i < capture.capLen(); i++) {
                    sum = sum * 31 + Memory.getByte(capture.address() + i);
                }
                to.add(capture.tsNs() + " " + capture.capLen() + " " + sum);
            } else if (!capture.hasEnded()) {
                capture.await(1_000_000_000L);
            }
        }
        return to;
    }
}
