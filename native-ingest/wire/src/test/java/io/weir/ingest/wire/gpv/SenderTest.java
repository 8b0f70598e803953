package io.weir.ingest.wire.gpv;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.memory.Memory;
import io.weir.operators.memory.MemoryTag;
import io.weir.operators.memory.NativeAllocator;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** A sender whose blocks are lost, doubled and come in another order: every packet is counted. */
class SenderTest {
    private static final long MS = 1_000_000L;

    @Test
    void everyPacketIsTakenOrLostOnce() {
        Assumptions.assumeTrue(
                io.weir.ingest.wire.SocketLibrary.isLoaded(), "skipped: no C compiler at build");
        long seed = Long.getLong("weir.seed", 9);
        for (int round = 0; round < 200; round++) {
            try (NativeAllocator allocator = new NativeAllocator(1 << 20)) {
                run(new Random(seed + round), allocator, "-Dweir.seed=" + (seed + round));
            }
        }
    }

    private static void run(Random random, NativeAllocator allocator, String message) {
        long room = allocator.allocate(16 * 1024, MemoryTag.TEST);
        ReceivedBlock block = new ReceivedBlock().wrap(room);
        Datagrams datagrams = new Datagrams(random, 1, 2, "flow32", Datagrams.SECOND);
        datagrams.sequence = random.nextBoolean() ? -20 : 5; // sequence numbers wrap round
        List<byte[]> wire = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            wire.add(datagrams.next(1 + random.nextInt(2)));
        }
        List<byte[]> arrived = disturbed(wire, random);
        Sender sender = new Sender();
        Set<Integer> taken = new HashSet<>();
        long packets = 0;
        long lost = 0;
        for (int i = 0; i < arrived.size(); i++) {
            assertEquals(0, check(arrived.get(i), room), message);
            long nowNs = i * MS;
            if (i == 0) {
                sender.begin(block, nowNs);
            }
            if (sender.take(block, nowNs) == Verdict.TAKEN) {
                assertTrue(taken.add(block.sequence()), message);
                packets += block.packets();
            }
            lost += sender.settle(nowNs);
        }
        lost += sender.settleAll();
        byte[] last = arrived.get(arrived.size() - 1);
        assertEquals(0, check(last, room), message);
        long first = total(wire.get(0));
        assertEquals(block.total() + block.packets() - first, packets + lost, message);
        allocator.free(room, 16 * 1024, MemoryTag.TEST);
    }

    /** Live packets stop. The last block has a watermark only, and time goes on with the clock. */
    @Test
    void timeFollowsTheClockBehindABlockWithoutGpvs() {
        Assumptions.assumeTrue(
                io.weir.ingest.wire.SocketLibrary.isLoaded(), "skipped: no C compiler at build");
        Random random = new Random(Long.getLong("weir.seed", 9));
        long wallNs = 1_800_000_000L * Datagrams.SECOND;
        long latenessNs = 10 * MS;
        try (NativeAllocator allocator = new NativeAllocator(1 << 20)) {
            long room = allocator.allocate(16 * 1024, MemoryTag.TEST);
            ReceivedBlock block = new ReceivedBlock().wrap(room);
            Datagrams datagrams = new Datagrams(random, 1, 2, "flow32", wallNs);
            Senders senders = new Senders(4);
            for (int gpvs : new int[] {0, 2, 0}) {
                datagrams.watermarkNs = wallNs - 20 * MS;
                assertEquals(0, check(datagrams.next(gpvs), room));
                Sender sender = senders.of(block, MS);
                sender.take(block, MS);
                assertTrue(sender.moveTo(block, wallNs, latenessNs));
            }
            assertEquals(wallNs - 20 * MS, senders.watermarkNs(MS, wallNs, latenessNs));
            long later = 2 * Datagrams.SECOND;
            assertEquals(
                    wallNs + later - latenessNs,
                    senders.watermarkNs(later, wallNs + later, latenessNs));
            allocator.free(room, 16 * 1024, MemoryTag.TEST);
        }
    }

    private static int check(byte[] bytes, long room) {
        for (int i = 0; i < bytes.length; i++) {
            Memory.putByte(room + 128 + i, bytes[i]);
        }
        return UdpBlocks.check(room + 128, bytes.length, room);
    }

    private static long total(byte[] block) {
        return java.nio.ByteBuffer.wrap(block).getLong(WireBlock.AT_TOTAL);
    }

    /** The first and the last block stay in their places. */
    private static List<byte[]> disturbed(List<byte[]> wire, Random random) {
        List<byte[]> arrived = new ArrayList<>(wire);
        int far = 1 + random.nextInt(100);
        for (int i = 1; i < arrived.size() - 1; i++) {
            if (random.nextInt(8) == 0) {
                int to = Math.min(arrived.size() - 2, i + random.nextInt(far));
                arrived.add(to, arrived.remove(i));
            }
            if (random.nextInt(10) == 0) {
                arrived.remove(i);
            } else if (random.nextInt(10) == 0) {
                arrived.add(i + random.nextInt(2), arrived.get(i));
            }
        }
        if (arrived.get(arrived.size() - 1) != wire.get(wire.size() - 1)) {
            arrived.add(wire.get(wire.size() - 1));
        }
        return arrived;
    }
}
