package io.weir.operators.pipeline;

import io.weir.operators.account.Account;
import io.weir.operators.account.Counter;
import io.weir.operators.account.Stage;
import io.weir.operators.gpv.BlockCursor;
import io.weir.operators.gpv.BlockFault;
import io.weir.operators.ring.BlockHandler;
import io.weir.operators.ring.BlockRing;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One ring's blocks, run through everything that is attached while they are in cache. One thread
 * calls {@link #poll}; any thread may attach and detach, which swaps an array that the pipeline
 * takes up between two blocks. Nothing is allocated per block.
 *
 * <p>Two pages in the account: {@code blocks}, where a gap in the sequence is a loss, as is a block
 * whose bytes are not sound; and {@code pipeline}, in packets.
 */
public final class Pipeline {
    private static final Attached[] NONE = {};

    private final BlockRing ring;
    private final BlockCursor cursor;
    private final BlockHandler handler = this::block;
    private final Counter blocksOffered;
    private final Counter blocksProcessed;
    private final Counter blocksMissing;
    private final Map<BlockFault, Counter> blocksFaulty = new EnumMap<>(BlockFault.class);
    private final Counter packetsOffered;
    private final Counter packetsProcessed;
    private final Counter packetsMissing;
    private final Counter consumedBlocks = new Counter();
    private final Counter lostBefore = new Counter();
    private final AtomicLong watermarkNs = new AtomicLong(Long.MIN_VALUE);

    private volatile Attached[] wanted = NONE;
    private volatile boolean ended;
    private Attached[] running = NONE;

    /** Detached since the last take-up, seen or not by a block. Guarded by this. */
    private final List<Attached> leaving = new ArrayList<>();

    private long beforeEndNs = Long.MIN_VALUE;
    private long nextSequence;
    private long lostPackets;

    public Pipeline(BlockRing ring, Account account) {
        this.ring = ring;
        cursor = new BlockCursor(true); // blocks in the ring are this process's own
        Stage blocks = account.stage("blocks");
        blocksOffered = blocks.offered();
        blocksProcessed = blocks.processed();
        blocksMissing = blocks.lost("sequence_gap");
        for (BlockFault fault : BlockFault.values()) {
            if (fault != BlockFault.NONE) {
                blocksFaulty.put(fault, blocks.lost("faulty_" + fault.name().toLowerCase()));
            }
        }
        Stage packets = account.stage("pipeline");
        packetsOffered = packets.offered();
        packetsProcessed = packets.processed();
        packetsMissing = packets.lost("sequence_gap");
    }

    /** From the next block on; false, and nothing attached, when the last block has been. */
    public synchronized boolean attach(Attached attached) {
        if (ended) {
            return false;
        }
        List<Attached> all = new ArrayList<>(List.of(wanted));
        all.add(attached);
        wanted = all.toArray(Attached[]::new);
        return true;
    }

    /**
     * The one in place of the other, which the pipeline's thread finishes, between the same two
     * blocks; false, and nothing attached, when the last block has been.
     */
    public synchronized boolean replace(Attached old, Attached attached) {
        if (ended) {
            return false;
        }
        List<Attached> all = new ArrayList<>(List.of(wanted));
        if (all.remove(old)) {
            leaving.add(old);
        }
        all.add(attached);
        wanted = all.toArray(Attached[]::new);
        return true;
    }

    /** Before the next block; the pipeline's thread finishes it. */
    public synchronized void detach(Attached attached) {
        List<Attached> all = new ArrayList<>(List.of(wanted));
        if (all.remove(attached)) {
            leaving.add(attached);
            wanted = all.toArray(Attached[]::new);
        }
    }

    /** Runs up to {@code limit} blocks; how many there were. The pipeline's thread only. */
    public int poll(int limit) {
        takeUp();
        return ring.read(handler, limit);
    }

    /** Blocks done with, sound or not, and what they closed handed on. Any thread. */
    public long consumedBlocks() {
        return consumedBlocks.value();
    }

    /** Packets that it has had, with those that are lost on the way to it. Any thread. */
    public long packets() {
        return packetsOffered.value() + lostBefore.value();
    }

    /** All that ends at or before it was handed on. Any thread. */
    public long watermarkNs() {
        return watermarkNs.getAcquire();
    }

    /** The last time before {@link #watermarkNs} became MAX_VALUE; for who has seen that. */
    public long beforeEndNs() {
        return beforeEndNs;
    }

    /** Whether the last block has been. Any thread. */
    public boolean isEnded() {
        return ended;
    }

    private void takeUp() {
        if (running != wanted) {
            change();
        }
    }

    /** By itself: what HotSpot learns here is no reason to compile the path of blocks anew. */
    private void change() {
        List<Attached> left;
        List<Attached> before = List.of(running);
        synchronized (this) {
            running = wanted;
            left = List.copyOf(leaving);
            leaving.clear();
        }
        for (Attached attached : running) {
            if (!before.contains(attached)) {
                attached.begin(watermarkNs.getPlain());
            }
        }
        left.forEach(Attached::finish);
    }

    private void block(long address, int length) {
        takeUp();
        blocksOffered.add(1);
        BlockFault fault = cursor.wrap(address, length);
        if (fault == BlockFault.NONE) {
            soundBlock();
        } else {
            blocksFaulty.get(fault).add(1);
            nextSequence++;
            lose(1);
        }
        consumedBlocks.add(1);
    }

    private void soundBlock() {
        noticeGap(cursor.sequence());
        packetsOffered.add(cursor.packets());
        Attached[] all = running;
        int node = cursor.nodeSymbol();
        while (cursor.nextSegment()) {
            segment(all, node);
        }
        packetsProcessed.add(cursor.packets());
        blocksProcessed.add(1);
        advance(all);
    }

    private void segment(Attached[] all, int node) {
        int layoutId = cursor.layoutId();
        int flags = cursor.segmentFlags();
        long gpvs = cursor.gpvsAddress();
        int count = cursor.gpvs();
        int packets = cursor.segmentPackets();
        long cameNs = cursor.cameNs();
        for (Attached attached : all) {
            attached.segment(layoutId, flags, node, gpvs, count, packets, cameNs);
        }
    }

    private void advance(Attached[] all) {
        boolean last = cursor.isEnd();
        long toldNs = Math.max(cursor.watermarkNs(), watermarkNs.getPlain());
        long watermark = last ? Long.MAX_VALUE : toldNs;
        long lost = lostPackets + cursor.lost();
        lostPackets = 0;
        lostBefore.add(cursor.lost());
        for (Attached attached : all) {
            attached.advance(watermark, lost);
        }
        if (last) {
            beforeEndNs = toldNs;
            end();
        }
        // Pairs with watermarkNs(): what was handed on above is seen by who sees this value.
        watermarkNs.setRelease(watermark);
    }

    private void end() {
        synchronized (this) {
            ended = true;
        }
        takeUp();
        for (Attached attached : running) {
            attached.finish();
        }
        running = NONE;
        wanted = NONE;
    }

    private void noticeGap(long sequence) {
        long missing = sequence - nextSequence;
        if (missing >= 0) {
            nextSequence = sequence + 1;
        }
        if (missing > 0) {
            blocksOffered.add(missing);
            blocksMissing.add(missing);
            lose(missing);
        }
    }

    /** Blocks are missing; how many packets were in them is guessed from those that came. */
    private void lose(long blocks) {
        long each = packetsProcessed.value() / Math.max(1, blocksProcessed.value());
        long packets = blocks * Math.max(1, each);
        lostPackets += packets;
        packetsOffered.add(packets);
        packetsMissing.add(packets);
    }
}
