package io.weir.ingest.source;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.account.Account;
import io.weir.operators.gpv.BlockCursor;
import io.weir.operators.gpv.BlockFault;
import io.weir.operators.gpv.BlockLayout;
import io.weir.operators.gpv.GpvCursor;
import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.ring.BlockRing;
import io.weir.operators.ring.BlockWriter;
import io.weir.operators.ring.SourceThrottle;
import java.util.ArrayList;
import java.util.List;

/** The end of one ring, on the writer's thread: keeps every packet as text, checks every block. */
public final class Outlet implements AutoCloseable {
    /** A throttle that never holds. */
    public static final SourceThrottle UNHELD =
            new SourceThrottle() {
                @Override
                public long holdAtNs() {
                    return Long.MAX_VALUE;
                }

                @Override
                public void settle() {
                    throw new AssertionError("nothing is to be settled");
                }
            };

    public final List<String> rows = new ArrayList<>();
    public final BlockWriter writer;
    public long latePackets;
    public long gpvs;
    public long blocks;
    public boolean ended;
    public long lost;

    /** The packets that a source reports as lost, at most. */
    public long mayLose;

    public long watermarkNs = Long.MIN_VALUE;

    private static final long MOST_BLOCKS_A_STEP = 6;

    private final NativeAllocator allocator;
    private final BlockRing ring;
    private final BlockCursor cursor = new BlockCursor(false);
    private final List<GpvCursor> cursors = GpvLayout.all().stream().map(GpvCursor::new).toList();

    public Outlet(NativeAllocator allocator, int partition, int blockBytes) {
        this.allocator = allocator;
        ring = new BlockRing(allocator, 1 << 20);
        writer = new BlockWriter(ring, partition, blockBytes, this::read);
    }

    /** Returns the context of a source that writes to this ring alone, and is never held. */
    public SourceContext context(SourceConfig config, Account account) {
        return new SourceContext(config, List.of(writer), allocator, account, UNHELD);
    }

    public List<String> sortedRows() {
        return rows.stream().sorted().toList();
    }

    /** Takes all steps of a source, and reads after each. */
    public void read(Source source) {
        read(source, List.of(this));
    }

    /** Takes all steps of a source, and reads all rings after each. No step fills a ring. */
    public static void read(Source source, List<Outlet> outlets) {
        while (source.step()) {
            outlets.forEach(Outlet::readStep);
        }
        outlets.forEach(Outlet::readStep);
    }

    /** Reads the blocks of one step of a source. */
    public void readStep() {
        long before = blocks;
        read();
        long since = blocks - before;
        assertTrue(since <= MOST_BLOCKS_A_STEP, since + " blocks in a step");
    }

    /** Reads all blocks that are in the ring. At a live source's end its writer reads, too. */
    public synchronized void read() {
        while (blocks < writer.publishedBlocks()) {
            // A read that meets the ring's end returns without the block behind it.
            ring.read(this::block, 1);
        }
    }

    private void block(long address, int length) {
        assertEquals(BlockFault.NONE, cursor.wrap(address, length));
        assertEquals(blocks, cursor.sequence());
        lost += cursor.lost();
        assertTrue(lost <= mayLose, lost + " packets lost");
        while (cursor.nextSegment()) {
            boolean late = (cursor.segmentFlags() & BlockLayout.SEGMENT_FLAG_LATE) != 0;
            GpvCursor gpv = cursors.get(cursor.layoutId());
            long at = cursor.gpvsAddress();
            for (int i = 0; i < cursor.gpvs(); i++) {
                gpv(gpv.wrap(at), late);
                at += gpv.gpvBytes();
            }
        }
        assertTrue(cursor.watermarkNs() >= watermarkNs);
        watermarkNs = cursor.watermarkNs();
        ended |= cursor.isEnd();
        blocks++;
    }

    private void gpv(GpvCursor gpv, boolean late) {
        gpvs++;
        long beforeNs = gpv.startNs();
        for (int packet = 0; packet < gpv.count(); packet++) {
            rows.add(PacketRow.of(gpv, packet, cursor.nodeSymbol()));
            latePackets += late ? 1 : 0;
            assertTrue(gpv.tsNs(packet) >= beforeNs, "time goes back within a GPV");
            beforeNs = gpv.tsNs(packet);
            assertTrue(late || beforeNs >= watermarkNs, "a packet older than the watermark");
        }
    }

    @Override
    public void close() {
        ring.close();
    }
}
