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
 * Reads one ring's blocks and runs everything that is attached over each, while it is in cache. One
 * thread calls {@link #poll}. Any thread may attach and detach: it swaps an array that the pipeline
 * takes up between two blocks. Nothing is allocated per block.
 *
 * <p>It has two pages in the account. {@code blocks} counts a gap in the sequence, and a damaged
 * block, as a loss. {@code pipeline} counts packets.
 */
public final class Pipeline {
    private static final QueryAttachment[] NONE = {};

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
    private final AtomicLong watermarkNs;

    private volatile QueryAttachment[] wanted = NONE;
    private volatile boolean ended;
    private QueryAttachment[] running = NONE;

    /**
     * Detached since the array was last taken up, whether or not they saw a block. Guarded by this.
     */
    private final List<QueryAttachment> leaving = new ArrayList<>();

    private long beforeEndNs = Long.MIN_VALUE;
    private long nextSequence;
    private long lostPackets;

    public Pipeline(BlockRing ring, Account account) {
        this(ring, account, Long.MIN_VALUE);
    }

    /**
     * Makes a pipeline beside others that are at work.
     *
     * @param passedNs the time that they have passed; its own packets in time are newer
     */
    public Pipeline(BlockRing ring, Account account, long passedNs) {
        this.ring = ring;
        watermarkNs = new AtomicLong(passedNs);
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

    /**
     * Attaches from the next block on. Returns false, and attaches nothing, after the last block.
     */
    public synchronized boolean attach(QueryAttachment attached) {
        if (ended) {
            return false;
        }
        List<QueryAttachment> all = new ArrayList<>(List.of(wanted));
        all.add(attached);
        wanted = all.toArray(QueryAttachment[]::new);
        return true;
    }

    /**
     * Attaches one in place of another between the same two blocks. The pipeline's thread finishes
     * the old one. Returns false, and attaches nothing, after the last block.
     */
    public synchronized boolean replace(QueryAttachment old, QueryAttachment attached) {
        if (ended) {
            return false;
        }
        List<QueryAttachment> all = new ArrayList<>(List.of(wanted));
        if (all.remove(old)) {
            leaving.add(old);
        }
        all.add(attached);
        wanted = all.toArray(QueryAttachment[]::new);
        return true;
    }

    /** Detaches before the next block. The pipeline's thread finishes it. */
    public synchronized void detach(QueryAttachment attached) {
        List<QueryAttachment> all = new ArrayList<>(List.of(wanted));
        if (all.remove(attached)) {
            leaving.add(attached);
            wanted = all.toArray(QueryAttachment[]::new);
        }
    }

    /** Runs up to {@code limit} blocks and returns their number. The pipeline's thread only. */
    public int poll(int limit) {
        takeUp();
        return ring.read(handler, limit);
    }

    /**
     * Returns the blocks that are finished, sound or not, with their closed windows handed on. Any
     * thread.
     */
    public long consumedBlocks() {
        return consumedBlocks.value();
    }

    /** Returns the packets that it has had, and those lost on the way to it. Any thread. */
    public long packets() {
        return packetsOffered.value() + lostBefore.value();
    }

    /** Returns the time up to which all ended windows were handed on. Any thread. */
    public long watermarkNs() {
        return watermarkNs.getAcquire();
    }

    /**
     * Returns the last time before {@link #watermarkNs} became MAX_VALUE, for callers that have
     * seen MAX_VALUE.
     */
    public long beforeEndNs() {
        return beforeEndNs;
    }

    /** Returns whether the last block is finished. Any thread. */
    public boolean isEnded() {
        return ended;
    }

    private void takeUp() {
        if (running != wanted) {
            change();
        }
    }

    /**
     * This is a method of its own, so that HotSpot does not compile the path of blocks again
     * because of it.
     */
    private void change() {
        List<QueryAttachment> left;
        List<QueryAttachment> before = List.of(running);
        synchronized (this) {
            running = wanted;
            left = List.copyOf(leaving);
            leaving.clear();
        }
        for (QueryAttachment attached : running) {
            if (!before.contains(attached)) {
                attached.begin(watermarkNs.getPlain());
            }
        }
        left.forEach(QueryAttachment::finish);
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
        QueryAttachment[] all = running;
        int node = cursor.nodeSymbol();
        while (cursor.nextSegment()) {
            segment(all, node);
        }
        packetsProcessed.add(cursor.packets());
        blocksProcessed.add(1);
        advance(all);
    }

    private void segment(QueryAttachment[] all, int node) {
        int layoutId = cursor.layoutId();
        int flags = cursor.segmentFlags();
        long gpvs = cursor.gpvsAddress();
        int count = cursor.gpvs();
        int packets = cursor.segmentPackets();
        long cameNs = cursor.cameNs();
        for (QueryAttachment attached : all) {
            attached.segment(layoutId, flags, node, gpvs, count, packets, cameNs);
        }
    }

    private void advance(QueryAttachment[] all) {
        boolean last = cursor.isEnd();
        long toldNs = Math.max(cursor.watermarkNs(), watermarkNs.getPlain());
        long watermark = last ? Long.MAX_VALUE : toldNs;
        long lost = lostPackets + (cursor.lost() > 0 ? told(all) : 0);
        lostPackets = 0;
        for (QueryAttachment attached : all) {
            attached.advance(watermark, lost);
        }
        if (last) {
            beforeEndNs = toldNs;
            end();
        }
        // Pairs with watermarkNs(): a thread that sees this value sees all windows handed on above.
        watermarkNs.setRelease(watermark);
    }

    /** Tells the packets that the block says are lost; returns those whose time is not known. */
    private long told(QueryAttachment[] all) {
        long packets = cursor.lost();
        long timeNs = cursor.lostNs();
        lostBefore.add(packets);
        if (timeNs == Long.MIN_VALUE) {
            return packets;
        }
        for (QueryAttachment attached : all) {
            attached.lost(timeNs, packets, cursor.isLostLate());
        }
        return 0;
    }

    private void end() {
        synchronized (this) {
            ended = true;
        }
        takeUp();
        for (QueryAttachment attached : running) {
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

    /**
     * Counts missing blocks. The number of their packets is estimated from the blocks that came.
     */
    private void lose(long blocks) {
        long each = packetsProcessed.value() / Math.max(1, blocksProcessed.value());
        long packets = blocks * Math.max(1, each);
        lostPackets += packets;
        packetsOffered.add(packets);
        packetsMissing.add(packets);
    }
}
