package io.weir.operators.pipeline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.account.Account;
import io.weir.operators.account.Stage;
import io.weir.operators.gpv.BlockLayout;
import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.memory.Memory;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.ring.Backpressure;
import io.weir.operators.ring.BlockRing;
import io.weir.operators.ring.BlockWriter;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.concurrent.YieldingIdleStrategy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

final class PipelineTest {
    private static final GpvLayout LAYOUT = GpvLayout.FLOW32_V4;

    private final NativeAllocator allocator = new NativeAllocator(1 << 22);
    private final BlockRing ring = new BlockRing(allocator, 1 << 17);
    private final Account account = new Account();
    private final Pipeline pipeline = new Pipeline(ring, account);

    @AfterEach
    void leakCheck() {
        ring.close();
        allocator.close();
    }

    /** Counts without allocating. */
    private static final class Counting implements QueryAttachment {
        private long gpvs;
        private long watermark;
        private long lost;
        private int finished;

        @Override
        public void segment(
                int layoutId,
                int flags,
                int node,
                long address,
                int count,
                int packets,
                long cameNs) {
            gpvs += count;
        }

        @Override
        public void advance(long watermarkNs, long lostPackets) {
            watermark = watermarkNs;
            lost += lostPackets;
        }

        @Override
        public void finish() {
            finished++;
        }
    }

    private BlockWriter writer(Backpressure backpressure) {
        return new BlockWriter(ring, 0, 4096, backpressure);
    }

    private static void write(BlockWriter writer, int gpvs) {
        for (int i = 0; i < gpvs; i++) {
            long address = writer.claim(LAYOUT, 2);
            Memory.fill(address, LAYOUT.gpvBytes(2), (byte) 0);
            Memory.putShortBigEndian(address + 14, (short) 2);
        }
    }

    @Test
    void attachesAndDetachesBetweenBlocks() {
        BlockWriter writer = writer(() -> {});
        Counting a = new Counting();
        Counting b = new Counting();
        assertTrue(pipeline.attach(a));
        block(writer, 3, 10);
        assertTrue(pipeline.attach(b));
        block(writer, 4, 20);
        pipeline.detach(a);
        pipeline.poll(1);
        assertEquals(1, a.finished);
        block(writer, 5, 30);
        writer.end();
        pipeline.poll(10);
        assertEquals(7, a.gpvs);
        assertEquals(9, b.gpvs);
        assertEquals(20, a.watermark);
        assertEquals(1, a.finished);
        assertEquals(1, b.finished);
        assertTrue(pipeline.isEnded());
        assertEquals(Long.MAX_VALUE, pipeline.watermarkNs());
        assertFalse(pipeline.attach(a));
        assertTrue(account.isBalanced());
    }

    @Test
    void whatLeavesBeforeABlockSawItIsFinishedToo() {
        Counting a = new Counting();
        assertTrue(pipeline.attach(a));
        pipeline.detach(a);
        pipeline.poll(1);
        assertEquals(1, a.finished);
    }

    private void block(BlockWriter writer, int gpvs, long watermarkNs) {
        write(writer, gpvs);
        writer.flush(watermarkNs);
        while (pipeline.poll(10) > 0) {}
        assertEquals(watermarkNs, pipeline.watermarkNs());
    }

    @Test
    void aGapAndAFaultyBlockAreCountedLosses() {
        BlockWriter writer = writer(() -> {});
        Counting a = new Counting();
        pipeline.attach(a);
        block(writer, 5, 1);
        write(writer, 5);
        writer.flush(2);
        ring.read((address, length) -> {}, 1);
        writer.lost(7);
        block(writer, 5, 3);
        write(writer, 5);
        long open = writer.claim(LAYOUT, 2);
        writer.flush(4);
        long header = open - 5L * LAYOUT.gpvBytes(2) - 16 - BlockLayout.HEADER_BYTES;
        Memory.putInt(header + BlockLayout.SEGMENTS, 99);
        pipeline.poll(1);
        block(writer, 1, 5);
        assertEquals(10 + 7 + 10, a.lost);
        assertEquals(11, a.gpvs);
        Stage.Snapshot blocks = account.snapshot().get(0);
        assertEquals(5, blocks.offered());
        assertEquals(1, blocks.lost().get("sequence_gap"));
        assertEquals(2, blocks.lostInAll());
        assertTrue(account.isBalanced(), account.snapshot().toString());
    }

    @Test
    void nothingIsAllocatedPerBlock() {
        com.sun.management.ThreadMXBean threads =
                (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long id = Thread.currentThread().getId();
        pipeline.attach(new Counting());
        BlockWriter writer = writer(() -> pipeline.poll(1));
        write(writer, 500_000);
        threads.getThreadAllocatedBytes(id);
        long before = threads.getThreadAllocatedBytes(id);
        long blocksBefore = pipeline.consumedBlocks();
        write(writer, 500_000);
        long bytes = threads.getThreadAllocatedBytes(id) - before;
        long blocks = pipeline.consumedBlocks() - blocksBefore;
        assertTrue(blocks > 1000);
        // The measurement itself may allocate a little, once.
        assertTrue(bytes < blocks / 8, bytes + " bytes in " + blocks + " blocks");
    }

    @Test
    @Timeout(30)
    void aThreadRunsUntilTheEnd() throws InterruptedException {
        Counting a = new Counting();
        pipeline.attach(a);
        AtomicReference<Throwable> failure = new AtomicReference<>();
        PipelineThread thread =
                new PipelineThread(
                        "p", pipeline, new YieldingIdleStrategy(), () -> {}, failure::set);
        thread.start();
        BlockWriter writer = writer(Thread::yield);
        write(writer, 100_000);
        writer.end();
        thread.join();
        assertEquals(100_000, a.gpvs);
        assertEquals(null, failure.get());
    }

    @Test
    @Timeout(30)
    void aThreadHandsItsFailureOn() throws InterruptedException {
        List<Throwable> failures = new ArrayList<>();
        pipeline.attach(new Failing());
        PipelineThread thread =
                new PipelineThread(
                        "p", pipeline, new YieldingIdleStrategy(), () -> {}, failures::add);
        thread.start();
        BlockWriter writer = writer(() -> {});
        writer.flush(1);
        thread.join();
        thread.close();
        assertEquals("broken", failures.get(0).getMessage());
    }

    private static final class Failing implements QueryAttachment {
        @Override
        public void segment(
                int layoutId,
                int flags,
                int node,
                long address,
                int count,
                int packets,
                long cameNs) {}

        @Override
        public void advance(long watermarkNs, long lostPackets) {
            throw new IllegalStateException("broken");
        }

        @Override
        public void finish() {}
    }
}
