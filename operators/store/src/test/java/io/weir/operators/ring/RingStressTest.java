package io.weir.operators.ring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.weir.operators.gpv.BlockCursor;
import io.weir.operators.gpv.BlockFault;
import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.memory.Memory;
import io.weir.operators.memory.NativeAllocator;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two threads, a ring that is nearly always full or empty, and every byte looked at. */
final class RingStressTest {
    private static final int GPVS = 300_000;

    @Test
    @Timeout(60)
    void everyGpvArrivesOnceInOrder() throws InterruptedException {
        for (long seed = 1; seed <= 3; seed++) {
            try (NativeAllocator allocator = new NativeAllocator(1 << 20);
                    BlockRing ring = new BlockRing(allocator, 1 << 14)) {
                run(ring, seed);
            }
        }
    }

    private static void run(BlockRing ring, long seed) throws InterruptedException {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Reader reader = new Reader(ring);
        Thread thread = new Thread(reader, "reader");
        thread.setUncaughtExceptionHandler((t, error) -> failure.set(error));
        thread.start();
        BlockWriter writer =
                new BlockWriter(
                        ring,
                        0,
                        2048,
                        () -> {
                            assertFalse(failure.get() != null, "the reader failed");
                            Thread.onSpinWait();
                        });
        write(writer, new Random(seed));
        thread.join();
        assertEquals(null, failure.get(), "seed " + seed);
        assertEquals(GPVS, reader.next, "seed " + seed);
        assertEquals(writer.publishedBlocks(), reader.blocks, "seed " + seed);
    }

    private static void write(BlockWriter writer, Random random) {
        for (int i = 0; i < GPVS; i++) {
            int count = 1 + i % 30;
            long gpv = writer.claim(GpvLayout.FLOW32_V4, count);
            Memory.fill(gpv, GpvLayout.FLOW32_V4.gpvBytes(count), (byte) i);
            Memory.putShortBigEndian(gpv + 14, (short) count);
            Memory.putLongBigEndian(gpv + 16, i);
            if (random.nextInt(100) == 0) {
                writer.flush(i);
            }
        }
        writer.end();
    }

    private static final class Reader implements Runnable {
        private final BlockRing ring;
        private final BlockCursor cursor = new BlockCursor(false);
        private int next;
        private long blocks;
        private boolean ended;

        Reader(BlockRing ring) {
            this.ring = ring;
        }

        @Override
        public void run() {
            while (!ended) {
                if (ring.read(this::block, 5) == 0) {
                    Thread.onSpinWait();
                }
            }
        }

        private void block(long address, int length) {
            assertEquals(BlockFault.NONE, cursor.wrap(address, length));
            assertEquals(blocks, cursor.sequence());
            blocks++;
            ended = cursor.isEnd();
            while (cursor.nextSegment()) {
                long gpv = cursor.gpvsAddress();
                for (int i = 0; i < cursor.gpvs(); i++) {
                    gpv += gpv(gpv);
                }
            }
        }

        private int gpv(long gpv) {
            int count = 1 + next % 30;
            int bytes = GpvLayout.FLOW32_V4.gpvBytes(count);
            assertEquals(next, Memory.getLongBigEndian(gpv + 16));
            assertEquals((byte) next, Memory.getByte(gpv));
            assertEquals((byte) next, Memory.getByte(gpv + bytes - 1));
            next++;
            return bytes;
        }
    }
}
