package io.weir.ingest.wire.gpv;

import io.weir.ingest.cache.CacheConfig;
import io.weir.ingest.source.PacketGate;
import io.weir.ingest.source.SourceConfig;
import io.weir.ingest.source.SourceContext;
import io.weir.operators.account.Account;
import io.weir.operators.gpv.BlockCursor;
import io.weir.operators.gpv.BlockFault;
import io.weir.operators.gpv.BlockLayout;
import io.weir.operators.gpv.GpvCursor;
import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.ring.BlockHandler;
import io.weir.operators.ring.BlockRing;
import io.weir.operators.ring.BlockWriter;
import io.weir.operators.ring.OverflowPolicy;
import io.weir.operators.ring.Unheld;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/** A source's ring and its reader, on one thread: keeps packets as text, and what is lost. */
final class RingEnd implements AutoCloseable {
    final NativeAllocator allocator = new NativeAllocator(1 << 27);
    final Account account = new Account();
    final List<String> rows = new ArrayList<>();
    final List<String> lateRows = new ArrayList<>();
    final TreeMap<Long, Long> lost = new TreeMap<>();
    long watermarkNs = Long.MIN_VALUE;

    private final BlockRing ring = new BlockRing(allocator, 1 << 22);
    private final BlockWriter writer = new BlockWriter(ring, 0, 64 * 1024, this::read);
    private BlockHandler tap = (at, length) -> {};
    private final BlockCursor block = new BlockCursor(false);

    SourceContext context(String layout, LongSupplier wallNs) {
        CacheConfig cache = CacheConfig.DEFAULT.withLayout(layout);
        return context(new SourceConfig(0, cache.withTimeout(Datagrams.SECOND)), wallNs);
    }

    SourceContext context(SourceConfig config, LongSupplier wallNs) {
        writer.overflow(OverflowPolicy.DROP);
        return new SourceContext(
                config,
                List.of(writer),
                allocator,
                account,
                new Unheld(false),
                PacketGate.ALL,
                wallNs);
    }

    /** Reads all blocks that are in the ring. */
    void read() {
        while (ring.read(this::block, 64) > 0) {}
        ring.read(this::block, 64);
    }

    /** Throws all blocks away that are in the ring. */
    void skip() {
        while (ring.read((at, length) -> {}, 64) > 0) {}
        ring.read((at, length) -> {}, 64);
    }

    /** Hands all blocks to a second reader. */
    void tap(BlockHandler reader) {
        tap = reader;
    }

    private void block(long at, int length) {
        tap.block(at, length);
        if (block.wrap(at, length) != BlockFault.NONE) {
            throw new AssertionError("a faulty block in the ring");
        }
        if (block.lost() > 0) {
            lost.merge(block.lostNs(), (long) block.lost(), Long::sum);
        }
        watermarkNs = Math.max(watermarkNs, block.watermarkNs());
        while (block.nextSegment()) {
            boolean late = (block.segmentFlags() & BlockLayout.SEGMENT_FLAG_LATE) != 0;
            GpvLayout layout = GpvLayout.all().get(block.layoutId());
            GpvCursor gpv = new GpvCursor(layout);
            long next = block.gpvsAddress();
            for (int i = 0; i < block.gpvs(); i++) {
                gpv.wrap(next);
                for (int p = 0; p < gpv.count(); p++) {
                    (late ? lateRows : rows).add(row(gpv, p));
                }
                next += gpv.gpvBytes();
            }
        }
    }

    private static String row(GpvCursor gpv, int packet) {
        StringBuilder row = new StringBuilder();
        row.append(gpv.tsNs(packet));
        for (String column :
                List.of("src_addr", "dst_addr", "src_port", "dst_port", "proto", "bytes")) {
            row.append(' ').append(gpv.value(column, packet, 0));
        }
        return row.toString();
    }

    long lostInAll() {
        return lost.values().stream().mapToLong(Long::longValue).sum();
    }

    @Override
    public void close() {
        ring.close();
        allocator.close();
    }
}
