package io.weir.operators.ring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.gpv.BlockCursor;
import io.weir.operators.gpv.BlockFault;
import io.weir.operators.gpv.BlockLayout;
import io.weir.operators.gpv.GpvCursor;
import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.gpv.RandomGpv;
import io.weir.operators.memory.NativeAllocator;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What writers write, cursors read: layouts, lateness, watermarks and sequence numbers. */
final class BlockRoundTripTest {
    private record Sent(RandomGpv gpv, boolean late, int node) {}

    private final Queue<Sent> sent = new ArrayDeque<>();
    private final List<Long> watermarks = new ArrayList<>();
    private final BlockCursor block = new BlockCursor(false);
    private String message;
    private long lost;
    private boolean ended;

    @Test
    void randomGpvsInRandomBlocks() {
        for (long seed = 1; seed <= 12; seed++) {
            message = "seed " + seed;
            watermarks.clear();
            lost = 0;
            ended = false;
            roundTrip(new Random(seed));
        }
    }

    private void roundTrip(Random random) {
        int blockBytes = 512 << random.nextInt(4);
        try (NativeAllocator allocator = new NativeAllocator(1 << 20);
                BlockRing ring = new BlockRing(allocator, 1 << 16)) {
            BlockWriter writer =
                    new BlockWriter(ring, 3, blockBytes, () -> ring.read(this::check, 3));
            long lostHere = 0;
            for (int i = 0; i < 3000; i++) {
                lostHere += step(random, writer, i);
            }
            writer.end();
            while (ring.read(this::check, 100) > 0) {}
            assertTrue(sent.isEmpty(), message);
            assertEquals(writer.publishedBlocks(), watermarks.size(), message);
            assertEquals(lostHere, lost, message);
            assertTrue(ended, message);
        }
    }

    private long step(Random random, BlockWriter writer, int i) {
        if (random.nextInt(50) == 0) {
            writer.flush(i);
        }
        int node = i / 1000;
        writer.source(node, node);
        GpvLayout layout = GpvLayout.all().get(random.nextInt(3) + 3 * (i / 20 % 2));
        int count = 1 + random.nextInt(Math.min(40, writer.maxCount(layout)));
        RandomGpv gpv = new RandomGpv(random, layout, count, i);
        boolean late = random.nextInt(20) == 0;
        sent.add(new Sent(gpv, late, node));
        gpv.writeTo(writer, late);
        int lostNow = random.nextInt(3);
        writer.lost(lostNow);
        return lostNow;
    }

    private void check(long address, int length) {
        assertEquals(BlockFault.NONE, block.wrap(address, length), message);
        assertEquals(watermarks.size(), block.sequence(), message);
        assertEquals(3, block.partition(), message);
        lost += block.lost();
        ended = block.isEnd();
        watermarks.add(block.watermarkNs());
        int packets = 0;
        while (block.nextSegment()) {
            GpvCursor gpv = new GpvCursor(GpvLayout.all().get(block.layoutId()));
            long at = block.gpvsAddress();
            for (int i = 0; i < block.gpvs(); i++) {
                Sent next = sent.remove();
                next.gpv().assertReadBy(gpv.wrap(at), message);
                boolean late = (block.segmentFlags() & BlockLayout.SEGMENT_FLAG_LATE) != 0;
                assertEquals(next.late(), late, message);
                assertEquals(late ? next.gpv().cameNs() : Long.MIN_VALUE, block.cameNs(), message);
                assertEquals(next.node(), block.nodeSymbol(), message);
                at += gpv.gpvBytes();
                packets += gpv.count();
            }
        }
        assertEquals(block.packets(), packets, message);
    }

    @Test
    void heartbeatsComeOnlyWithNews() {
        try (NativeAllocator allocator = new NativeAllocator(1 << 20);
                BlockRing ring = new BlockRing(allocator, 1 << 13)) {
            BlockWriter writer = new BlockWriter(ring, 0, 1024, () -> {});
            writer.flush(5);
            writer.flush(5);
            writer.flush(4);
            assertEquals(1, writer.publishedBlocks());
            writer.lost(1);
            writer.flush(5);
            writer.end();
            writer.end();
            assertEquals(3, writer.publishedBlocks());
        }
    }

    @Test
    void aGpvLargerThanABlockIsAnError() {
        try (NativeAllocator allocator = new NativeAllocator(1 << 20);
                BlockRing ring = new BlockRing(allocator, 1 << 13)) {
            BlockWriter writer = new BlockWriter(ring, 0, 1024, () -> {});
            int most = writer.maxCount(GpvLayout.FULL_V4);
            writer.claim(GpvLayout.FULL_V4, most);
            assertThrows(
                    IllegalArgumentException.class,
                    () -> writer.claim(GpvLayout.FULL_V4, most + 1));
            assertThrows(
                    IllegalArgumentException.class, () -> new BlockWriter(ring, 0, 4096, () -> {}));
        }
    }
}
