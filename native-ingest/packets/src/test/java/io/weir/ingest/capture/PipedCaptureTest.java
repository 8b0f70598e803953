package io.weir.ingest.capture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.memory.Fifo;
import io.weir.operators.memory.Memory;
import io.weir.operators.memory.MemoryTag;
import io.weir.operators.memory.NativeAllocator;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What comes through a pipe is what is in the file, to the last byte. */
class PipedCaptureTest {
    private static final int ROUNDS = 40;

    @TempDir Path folder;

    private final NativeAllocator allocator = new NativeAllocator(1 << 26);

    @AfterEach
    void free() {
        assertEquals(0, allocator.usedBytes(MemoryTag.PIPE));
        allocator.close();
    }

    @Test
    void aPipeIsReadAsTheFileIs() throws Exception {
        long seed = Long.getLong("weir.seed", 1);
        Random random = new Random(seed);
        for (int round = 0; round < ROUNDS; round++) {
            byte[] bytes = random.nextBoolean() ? pcap(random) : pcapng(random);
            if (random.nextInt(3) == 0) {
                bytes = Arrays.copyOf(bytes, random.nextInt(bytes.length + 1));
            }
            for (int faults = random.nextInt(3); faults > 0 && bytes.length > 0; faults--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            Path file = Files.write(folder.resolve("capture"), bytes);
            Path fifo = Fifo.in(folder, "pipe");
            String inFile = read(file).replace(file.toString(), "it");
            Thread writer = Fifo.write(fifo, bytes, random.nextLong());
            String inPipe = read(fifo).replace(fifo.toString(), "it");
            writer.join();
            assertEquals(inFile, inPipe, "seed " + seed + ", round " + round);
        }
    }

    /** All packets and the end, or the error, as text. */
    private String read(Path path) {
        List<String> seen = new ArrayList<>();
        try (CaptureFile capture = Captures.open(path, allocator)) {
            while (nextOf(capture)) {
                seen.add(
                        capture.tsNs()
                                + (" " + capture.linkType() + " " + capture.interfaceIndex())
                                + (" " + capture.wireLen() + " " + capture.capLen())
                                + (" " + hash(capture.address(), capture.capLen())));
            }
            seen.add(capture.ending() + " " + capture.notes());
        } catch (WeirException e) {
            seen.add(e.getMessage());
        }
        return String.join("\n", seen);
    }

    private static boolean nextOf(CaptureFile capture) {
        boolean next = capture.next();
        while (!next && capture.ending() == Ending.NONE) {
            assertTrue(capture.await(Long.MAX_VALUE));
            next = capture.next();
        }
        return next;
    }

    private static int hash(long address, int length) {
        int hash = 1;
        for (int i = 0; i < length; i++) {
            hash = 31 * hash + Memory.getByte(address + i);
        }
        return hash;
    }

    private static ByteOrder order(Random random) {
        return random.nextBoolean() ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
    }

    /** Of many sizes; a few are longer than the window is at first. */
    private static byte[] packet(Random random) {
        byte[] packet = new byte[random.nextInt(random.nextInt(30) == 0 ? 800_000 : 300)];
        random.nextBytes(packet);
        return packet;
    }

    private static byte[] pcap(Random random) {
        CaptureBytes capture = new CaptureBytes(order(random));
        capture.pcap(CaptureBytes.MICROSECONDS, 1 << 20, 1);
        for (int i = random.nextInt(200); i > 0; i--) {
            capture.record(i, i, packet(random), 99);
        }
        return capture.array();
    }

    private static byte[] pcapng(Random random) {
        CaptureBytes capture = new CaptureBytes(order(random)).section();
        capture.networkInterface(1, 6, 0);
        for (int i = random.nextInt(200); i > 0; i--) {
            int kind = random.nextInt(20);
            byte[] packet = packet(random);
            if (kind == 0) {
                CaptureBytes next = new CaptureBytes(order(random)).section();
                next.networkInterface(random.nextInt(3), 9, 1).enhanced(0, i, packet, 1);
                capture.raw(next.array()).section().networkInterface(1, 6, 0);
            } else if (kind < 4) { // skipped; some are larger than all that is read ahead
                byte[] skipped = new byte[random.nextInt(1 << random.nextInt(22))];
                capture.block(0x0BAD, capture.body().raw(skipped));
            } else {
                byte[] kept = Arrays.copyOf(packet, Math.min(packet.length, 65_535));
                capture.enhanced(0, i, kept, kept.length);
            }
        }
        return capture.array();
    }

    /** Memory is for what comes, not for what a header says will. */
    @Test
    void aLongRecordThatDoesNotComeTakesNoMemory() throws Exception {
        CaptureBytes capture = new CaptureBytes(ByteOrder.LITTLE_ENDIAN);
        capture.pcap(CaptureBytes.MICROSECONDS, 400 << 20, 1).record(1, 1, new byte[4], 4);
        capture.ints(2, 0, 300 << 20, 1).raw(new byte[500_000]);
        Path fifo = Fifo.in(folder, "pipe");
        Thread writer = Fifo.write(fifo, capture.array(), 1);
        try (CaptureFile file = Captures.open(fifo, allocator)) {
            assertTrue(nextOf(file));
            assertEquals(4, file.capLen());
            assertEquals(false, nextOf(file));
            assertEquals(Ending.CUT_RECORD, file.ending());
            assertTrue(allocator.usedBytes() <= 1 << 20, "used " + allocator.usedBytes());
        }
        writer.join();
    }

    @Test
    void whoReadsAgainWantsAFile() throws IOException {
        Path fifo = Fifo.in(folder, "pipe");
        WeirException e = assertThrows(WeirException.class, () -> Captures.open(fifo));
        assertEquals(ErrorCode.UNREADABLE_INPUT, e.code());
        assertTrue(e.hint().orElseThrow().contains("write the capture to a file"), e::toString);
    }
}
