package io.weir.ingest.source;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.account.Account;
import io.weir.operators.account.Stage;
import io.weir.operators.gpv.BlockCursor;
import io.weir.operators.gpv.BlockFault;
import io.weir.operators.gpv.BlockLayout;
import io.weir.operators.gpv.GpvCursor;
import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.graph.Symbols;
import io.weir.operators.memory.Memory;
import io.weir.operators.memory.MemoryTag;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.ring.BlockRing;
import io.weir.operators.ring.BlockWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Blocks that come ready, as a switch sends them, through a source of GPVs. */
class GpvInletTest {
    private static final int RING_BYTES = 1 << 20;

    @TempDir private Path folder;

    /** Blocks that another has made, some of them damaged on the way. */
    private static final class ReadyBlocks implements GpvSource {
        private final Iterator<byte[]> blocks;
        private final NativeAllocator memory;
        private final GpvInlet inlet;
        private final long room;
        private final BlockCursor cursor = new BlockCursor(false);

        ReadyBlocks(Iterator<byte[]> blocks, SourceContext context) {
            this.blocks = blocks;
            memory = context.allocator();
            inlet = new GpvInlet(context);
            inlet.source(0, Symbols.id("switch"));
            room = memory.allocate(RING_BYTES, MemoryTag.SCRATCH);
        }

        @Override
        public boolean step() {
            if (!blocks.hasNext()) {
                inlet.end();
                return false;
            }
            byte[] block = blocks.next();
            for (int i = 0; i < block.length; i++) {
                Memory.putByte(room + i, block[i]);
            }
            BlockFault fault = cursor.wrap(room, block.length);
            boolean whole = block[BlockLayout.VERSION_OFFSET] == BlockLayout.VERSION;
            assertEquals(whole, fault == BlockFault.NONE);
            inlet.blocks().offered().add(1);
            if (whole) {
                inlet.blocks().processed().add(1);
                take();
            } else {
                inlet.blocks().lost(fault.name()).add(1);
            }
            return true;
        }

        private void take() {
            while (cursor.nextSegment()) {
                GpvCursor gpv = new GpvCursor(GpvLayout.all().get(cursor.layoutId()));
                long newestNs = Long.MIN_VALUE;
                long at = cursor.gpvsAddress();
                for (int i = 0; i < cursor.gpvs(); i++) {
                    gpv.wrap(at);
                    newestNs = Math.max(newestNs, gpv.tsNs(gpv.count() - 1));
                    at += gpv.gpvBytes();
                }
                inlet.gpvs(
                        cursor.layoutId(),
                        cursor.gpvsAddress(),
                        cursor.gpvs(),
                        cursor.segmentPackets(),
                        newestNs,
                        false,
                        newestNs);
            }
            inlet.passTo(cursor.watermarkNs());
        }

        @Override
        public void stop() {}

        @Override
        public List<String> notes() {
            return List.of();
        }

        @Override
        public void close() {
            memory.free(room, RING_BYTES, MemoryTag.SCRATCH);
        }
    }

    /** A capture's blocks, as its source writes them. */
    private static List<byte[]> blocks(Path capture) {
        List<byte[]> blocks = new ArrayList<>();
        try (NativeAllocator allocator = new NativeAllocator(1 << 26);
                BlockRing ring = new BlockRing(allocator, RING_BYTES)) {
            BlockWriter writer =
                    new BlockWriter(
                            ring,
                            0,
                            16 * 1024,
                            () -> ring.read((at, n) -> blocks.add(bytes(at)), 9));
            SourceSpec spec = SourceSpec.pcap("switch", capture);
            SourceContext context =
                    new SourceContext(
                            SourceConfig.DEFAULT,
                            List.of(writer),
                            allocator,
                            new Account(),
                            Outlet.UNHELD);
            try (CaptureSource source = new CaptureSource(List.of(spec), context)) {
                source.run();
            }
            while (ring.read((at, n) -> blocks.add(bytes(at)), 9) > 0) {}
        }
        return blocks;
    }

    private static byte[] bytes(long block) {
        byte[] bytes = new byte[Memory.getInt(block + BlockLayout.LENGTH)];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = Memory.getByte(block + i);
        }
        return bytes;
    }

    @Test
    void readyBlocksGiveThePacketsOfTheirSource() throws Exception {
        long seed = Long.getLong("weir.seed", 4);
        Random random = new Random(seed);
        for (int rings = 1; rings <= 3; rings++) {
            Path capture = RandomCapture.write(random, folder, "capture" + rings, 3000);
            List<byte[]> blocks = blocks(capture);
            List<String> direct = rows(blocks, 1, new Account());
            int damaged = random.nextInt(blocks.size() - 1);
            Account account = new Account();
            blocks.get(damaged)[BlockLayout.VERSION_OFFSET] ^= 1;
            List<String> rows = rows(blocks, rings, account);
            assertTrue(account.isBalanced(), "-Dweir.seed=" + seed);
            Stage.Snapshot arrived = account.snapshot().get(0);
            assertEquals(blocks.size(), arrived.offered());
            assertEquals(1, arrived.lost().get(BlockFault.VERSION.name()));
            assertEquals(rows.size(), account.snapshot().get(1).processed());
            assertNotEquals(0, rows.size());
            List<String> left = new ArrayList<>(direct);
            rows.forEach(row -> assertTrue(left.remove(row), row + ", -Dweir.seed=" + seed));
        }
    }

    private static List<String> rows(List<byte[]> blocks, int rings, Account account) {
        List<String> rows = new ArrayList<>();
        try (NativeAllocator allocator = new NativeAllocator(1 << 26)) {
            List<Outlet> outlets = new ArrayList<>();
            for (int i = 0; i < rings; i++) {
                outlets.add(new Outlet(allocator, i, 64 * 1024));
            }
            List<BlockWriter> writers = outlets.stream().map(outlet -> outlet.writer).toList();
            SourceContext context =
                    new SourceContext(
                            SourceConfig.DEFAULT, writers, allocator, account, Outlet.UNHELD);
            try (GpvSource source = new ReadyBlocks(blocks.iterator(), context)) {
                Outlet.read(source, outlets);
            }
            assertTrue(outlets.stream().allMatch(outlet -> outlet.ended));
            outlets.forEach(outlet -> rows.addAll(outlet.rows));
            outlets.forEach(Outlet::close);
        }
        return rows;
    }
}
