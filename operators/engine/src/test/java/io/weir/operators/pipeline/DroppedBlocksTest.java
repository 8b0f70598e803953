package io.weir.operators.pipeline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.account.Account;
import io.weir.operators.gpv.BlockLayout;
import io.weir.operators.gpv.GpvCursor;
import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.gpv.RandomGpv;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.ring.BlockRing;
import io.weir.operators.ring.BlockWriter;
import io.weir.operators.ring.OverflowPolicy;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A full ring of a live source: no packet is lost untold, and each loss has its packets' time. */
final class DroppedBlocksTest {
    private static final long BUCKET_NS = 10_000_000L;
    private static final GpvLayout[] LAYOUTS = GpvLayout.all().toArray(GpvLayout[]::new);

    /** Packets by their times, cut to buckets. */
    private static final class Packets {
        private final Map<Long, Long> byTime = new TreeMap<>();
        private long late;

        void add(long timeNs, long packets) {
            byTime.merge(Math.floorDiv(timeNs, BUCKET_NS), packets, Long::sum);
        }

        long inTime() {
            return byTime.values().stream().mapToLong(Long::longValue).sum();
        }
    }

    private static final class Recording implements QueryAttachment {
        private final Packets processed = new Packets();
        private final Packets lost = new Packets();
        private long watermarkNs = Long.MIN_VALUE;
        private long lostAtUnknown;

        @Override
        public void segment(
                int layoutId,
                int flags,
                int node,
                long address,
                int gpvs,
                int packets,
                long cameNs) {
            if ((flags & BlockLayout.SEGMENT_FLAG_LATE) != 0) {
                processed.late += packets;
                return;
            }
            GpvCursor gpv = new GpvCursor(LAYOUTS[layoutId]);
            long at = address;
            for (int i = 0; i < gpvs; i++) {
                gpv.wrap(at);
                for (int p = 0; p < gpv.count(); p++) {
                    assertTrue(gpv.tsNs(p) >= watermarkNs, "a packet is behind its watermark");
                    processed.add(gpv.tsNs(p), 1);
                }
                at += gpv.gpvBytes();
            }
        }

        @Override
        public void lost(long timeNs, long packets, boolean late) {
            if (late) {
                lost.late += packets;
            } else {
                assertTrue(timeNs + BUCKET_NS > watermarkNs, "a loss is told behind its watermark");
                lost.add(timeNs, packets);
            }
        }

        @Override
        public void advance(long newWatermarkNs, long lostPackets) {
            watermarkNs = newWatermarkNs;
            lostAtUnknown += lostPackets;
        }

        @Override
        public void finish() {}
    }

    @Test
    void offeredIsProcessedAndLostInEachBucket() {
        for (int i = 0; i < 12; i++) {
            long seed = Long.getLong("weir.seed", 1) + i;
            try {
                run(new Random(seed));
            } catch (AssertionError e) {
                throw new AssertionError("-Dweir.seed=" + seed, e);
            }
        }
    }

    private static void run(Random random) {
        try (NativeAllocator allocator = new NativeAllocator(1 << 22);
                BlockRing ring = new BlockRing(allocator, 1 << 16)) {
            Account account = new Account();
            Pipeline pipeline = new Pipeline(ring, account);
            Recording seen = new Recording();
            pipeline.attach(seen);
            BlockWriter writer =
                    new BlockWriter(ring, 0, 512 << random.nextInt(4), () -> pipeline.poll(1));
            writer.overflow(OverflowPolicy.DROP);
            Packets offered = new Packets();
            long unknown = write(random, writer, pipeline, offered);
            writer.end();
            while (!pipeline.isEnded()) {
                pipeline.poll(9);
            }
            check(offered, seen, writer, unknown);
            assertTrue(account.isBalanced());
            assertEquals(offered.inTime() + offered.late + unknown, pipeline.packets());
        }
    }

    /** Times go on by up to a second before all of them have passed. */
    private static long write(
            Random random, BlockWriter writer, Pipeline pipeline, Packets offered) {
        long nowNs = 1_700_000_000_000_000_000L;
        long unknown = 0;
        int stalled = 0;
        for (int i = 0; i < 20_000; i++) {
            nowNs += random.nextInt(200_000);
            GpvLayout layout = LAYOUTS[random.nextInt(LAYOUTS.length)];
            int count = 1 + random.nextInt(Math.min(9, writer.maxCount(layout)));
            long startNs = nowNs + random.nextLong(-500_000_000L, 500_000_000L);
            RandomGpv gpv = new RandomGpv(random, layout, count, startNs / 1000 * 1000);
            boolean late = random.nextInt(20) == 0;
            gpv.writeTo(writer, late);
            offered.late += late ? count : 0;
            for (int p = 0; p < count && !late; p++) {
                offered.add(gpv.tsNs(p), 1);
            }
            stalled = stalled > 0 ? stalled - 1 : random.nextInt(900) == 0 ? 3000 : 0;
            if (stalled == 0) {
                pipeline.poll(random.nextInt(3));
            }
            if (random.nextInt(50) == 0) {
                writer.flush(nowNs - 600_000_000L);
            }
            if (random.nextInt(500) == 0) {
                writer.lost(3);
                unknown += 3;
            }
        }
        return unknown;
    }

    private static void check(Packets offered, Recording seen, BlockWriter writer, long unknown) {
        Map<Long, Long> told = new TreeMap<>(seen.processed.byTime);
        seen.lost.byTime.forEach((bucket, packets) -> told.merge(bucket, packets, Long::sum));
        Map<Long, Long> missing = new TreeMap<>(offered.byTime);
        told.forEach((bucket, packets) -> missing.merge(bucket, -packets, Long::sum));
        missing.values().removeIf(packets -> packets == 0);
        assertEquals(Map.of(), missing);
        assertEquals(offered.late, seen.processed.late + seen.lost.late);
        assertEquals(writer.droppedPackets(), seen.lost.inTime() + seen.lost.late);
        assertEquals(unknown, seen.lostAtUnknown);
        assertTrue(seen.lost.inTime() > 1000 && seen.lost.late > 10, "the ring was never full");
        assertTrue(seen.processed.inTime() > 1000);
    }

    /** Longer than its times are kept apart: they get coarser, and no packet is forgotten. */
    @Test
    void aLongStallIsToldInWiderBuckets() {
        try (NativeAllocator allocator = new NativeAllocator(1 << 22);
                BlockRing ring = new BlockRing(allocator, 1 << 14)) {
            Pipeline pipeline = new Pipeline(ring, new Account());
            Recording seen = new Recording();
            pipeline.attach(seen);
            BlockWriter writer = new BlockWriter(ring, 0, 512, () -> pipeline.poll(1));
            writer.overflow(OverflowPolicy.DROP);
            Random random = new Random(7);
            for (int i = 0; i < 20_000; i++) {
                new RandomGpv(random, GpvLayout.FULL_V4, 1, i * BUCKET_NS).writeTo(writer, false);
            }
            writer.end();
            while (!pipeline.isEnded()) {
                pipeline.poll(9);
            }
            assertEquals(20_000, seen.processed.inTime() + seen.lost.inTime());
            assertEquals(writer.droppedPackets(), seen.lost.inTime());
            assertTrue(seen.lost.byTime.size() <= 4096 && seen.lost.byTime.size() > 1024);
        }
    }
}
