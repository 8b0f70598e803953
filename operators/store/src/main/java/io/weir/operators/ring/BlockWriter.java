package io.weir.operators.ring;

import io.weir.operators.account.Counter;
import io.weir.operators.gpv.BlockLayout;
import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.memory.Memory;

/**
 * Writes GPVs into blocks in a ring, in place. It opens blocks and segments as they are needed. One
 * thread, the ring's producer, except the counts.
 *
 * <p>When the ring is full, the writer calls {@link Backpressure} until there is room. With {@link
 * OverflowPolicy#DROP} it does not wait. It writes the block beside the ring. If there is still no
 * room when the block is whole, the writer drops it. Empty blocks before the next one that finds
 * room report its packets as lost, by their times.
 */
public final class BlockWriter {
    public static final int DEFAULT_BLOCK_BYTES = 64 * 1024;

    /** The bytes of a block that a GPV cannot use. */
    private static final int OVERHEAD_BYTES =
            BlockLayout.HEADER_BYTES
                    + BlockLayout.segmentHeaderBytes(BlockLayout.SEGMENT_FLAG_LATE);

    private static final int FLAG_BITS = 2;

    private final BlockRing ring;
    private final int partition;
    private final int blockBytes;
    private final Backpressure backpressure;
    private final Counter published = new Counter();
    private final Counter droppedPackets = new Counter();

    /** Null where blocks wait for room. */
    private DroppedPackets dropped;

    /** The place of a block that finds no room; 0 if blocks wait for room. */
    private long beside;

    private int source;
    private int nodeSymbol;
    private long watermarkNs = Long.MIN_VALUE;
    private long writtenWatermarkNs = Long.MIN_VALUE;
    private long lost;
    private boolean ended;
    private boolean takesSources;
    private final SourceTimes times = new SourceTimes();

    private long block;
    private long blockEnd;
    private boolean isBeside;
    private int segments;
    private int blockPackets;
    private long segment;
    private int segmentKind;
    private long segmentCameNs;
    private int gpvs;
    private int packets;
    private long next;

    /**
     * @param blockBytes length of a full block: a multiple of 8, at most the ring's maximum
     */
    public BlockWriter(BlockRing ring, int partition, int blockBytes, Backpressure backpressure) {
        if (blockBytes % BlockLayout.ALIGNMENT != 0
                || blockBytes <= OVERHEAD_BYTES
                || blockBytes > ring.maxBlockBytes()) {
            throw new IllegalArgumentException(
                    "block of " + blockBytes + " bytes; at most " + ring.maxBlockBytes());
        }
        this.ring = ring;
        this.partition = partition;
        this.blockBytes = blockBytes;
        this.backpressure = backpressure;
    }

    /**
     * Sets the rule for blocks that find the ring full. Is called between two sources.
     *
     * @throws io.weir.operators.error.WeirException OUT_OF_NATIVE_MEMORY
     */
    public void overflow(OverflowPolicy policy) {
        boolean drops = policy == OverflowPolicy.DROP;
        if (drops && dropped == null) {
            dropped = new DroppedPackets();
        }
        beside = drops ? ring.beside(blockBytes) : 0;
    }

    /** Lets one source after another write: {@link #end(long)} ends one, and not the ring. */
    public void takeSources() {
        takesSources = true;
    }

    /** Sets the source of the GPVs from now on. A change closes the open block. */
    public void source(int newSource, int newNodeSymbol) {
        if (newSource != source || newNodeSymbol != nodeSymbol) {
            publish();
            source = newSource;
            nodeSymbol = newNodeSymbol;
        }
    }

    /** Returns the largest count of packets that a GPV of this layout may have here. */
    public int maxCount(GpvLayout layout) {
        int fit = (blockBytes - OVERHEAD_BYTES - layout.headerBytes()) / layout.tupleBytes();
        return Math.min(fit, 0xFFFF);
    }

    /**
     * Returns the address at which the caller writes one whole GPV of {@code count} packets. The
     * caller writes header and tuples before it calls this writer again.
     *
     * @param count from 1 to {@link #maxCount}
     */
    public long claim(GpvLayout layout, int count) {
        return claim(layout, 0, Long.MIN_VALUE, count);
    }

    /**
     * Claims room for packets that windows leave out.
     *
     * @param flags of {@link BlockLayout}: SEGMENT_FLAG_LATE, maybe with SEGMENT_FLAG_FUTURE; or 0,
     *     and windows take them
     * @param cameNs the newest time of their source when they came
     */
    public long claim(GpvLayout layout, int flags, long cameNs, int count) {
        int bytes = layout.headerBytes() + count * layout.tupleBytes();
        int kind = layout.id() << FLAG_BITS | flags;
        boolean fits = kind == segmentKind && next + bytes <= blockEnd;
        if (segment == 0 || !fits || flags != 0 && cameNs != segmentCameNs) {
            openSegment(kind, bytes);
            segmentCameNs = cameNs;
        }
        long address = next;
        next = address + bytes;
        gpvs++;
        packets += count;
        return address;
    }

    /**
     * Lends the open segment to C, which writes GPVs behind the others. Until {@link #takeBack}
     * nothing else may be called.
     *
     * @param to the address of a {@link LentSegment}
     */
    public void lend(long to) {
        LentSegment.put(to, segment == 0 ? -1 : segmentKind, next, blockEnd, gpvs, packets);
    }

    /** Takes back the segment that was lent. */
    public void takeBack(long from) {
        next = LentSegment.next(from);
        gpvs = LentSegment.gpvs(from);
        packets = LentSegment.packets(from);
    }

    /** Opens a segment, and if necessary a block, with room for a GPV of so many bytes. */
    public void openSegment(GpvLayout layout, int bytes) {
        openSegment(layout.id() << FLAG_BITS, bytes);
    }

    /** Counts packets that the source has lost. The next block reports them. */
    public void lost(long lostPackets) {
        lost += lostPackets;
    }

    /** Counts packets that a source has lost at a time. It is one that does not wait for room. */
    public void lost(long lostPackets, long atNs) {
        publish(); // no block with a newer watermark may come first
        dropped.add(lostPackets, atNs);
    }

    /** Sets the watermark of the next blocks: no GPV in time has an older packet from now on. */
    public void watermark(long newWatermarkNs) {
        watermarkNs = Math.max(watermarkNs, newWatermarkNs);
    }

    /** Publishes the open block with this watermark, or an empty one for news. */
    public void flush(long newWatermarkNs) {
        watermark(newWatermarkNs);
        if (block == 0) {
            boolean told = tellDropped();
            boolean news = watermarkNs > writtenWatermarkNs || lost > 0;
            long claimed = told && news ? claimed(BlockLayout.HEADER_BYTES) : 0;
            if (claimed == 0) {
                return; // there is nothing to tell, or a later block tells it
            }
            begin(claimed, BlockLayout.HEADER_BYTES);
        }
        publish();
    }

    /** Returns the watermark that the next block will have: no packet in time is older. */
    public long promisedNs() {
        return watermarkNs;
    }

    /** Sets the time of a source's first packet before any block reports it. */
    public void begun(long firstNs) {
        times.begin(firstNs);
    }

    /** Returns the times of its blocks and its sources. Any thread. */
    public SourceTimes times() {
        return times;
    }

    /** Ends a source whose newest packet has this time, and the ring unless others follow. */
    public void end(long newestNs) {
        if (!ended) {
            times.end(Math.max(newestNs, watermarkNs));
        }
        if (takesSources) {
            flush(watermarkNs);
        } else {
            end();
        }
    }

    /** Ends the ring. */
    public void end() {
        if (!ended) {
            beside = 0; // no packet comes any more: what is left waits for room
            while (lost > Integer.MAX_VALUE) {
                flush(watermarkNs);
            }
            ended = true;
            if (block == 0) {
                openBlock(BlockLayout.HEADER_BYTES);
            }
            publish();
        }
    }

    /** Returns how full the ring is, from 0 to 1. Any thread. */
    public double ringFill() {
        return ring.fill();
    }

    /** Returns the number of packets in dropped blocks. Any thread. */
    public long droppedPackets() {
        return droppedPackets.value();
    }

    /** Returns the number of published blocks: the next one's sequence number. Any thread. */
    public long publishedBlocks() {
        return published.value();
    }

    private void openSegment(int kind, int bytes) {
        closeSegment();
        int header = BlockLayout.segmentHeaderBytes(flags(kind));
        long needed = (long) header + bytes;
        if (block == 0 || next + needed > blockEnd) {
            publish();
            if (OVERHEAD_BYTES + bytes > blockBytes) {
                throw new IllegalArgumentException("a GPV of " + bytes + " bytes");
            }
            openBlock(blockBytes);
        }
        segment = next;
        segmentKind = kind;
        next += header;
    }

    private static int flags(int kind) {
        return kind & (1 << FLAG_BITS) - 1;
    }

    private void closeSegment() {
        if (segment == 0) {
            return;
        }
        int flags = flags(segmentKind);
        long bytes = next - segment - BlockLayout.segmentHeaderBytes(flags);
        if (flags != 0) {
            Memory.putLong(segment + BlockLayout.SEGMENT_CAME, segmentCameNs);
        }
        Memory.putShort(segment + BlockLayout.SEGMENT_LAYOUT, (short) (segmentKind >> FLAG_BITS));
        Memory.putShort(segment + BlockLayout.SEGMENT_FLAGS, (short) flags);
        Memory.putInt(segment + BlockLayout.SEGMENT_GPVS, gpvs);
        Memory.putInt(segment + BlockLayout.SEGMENT_BYTES, (int) bytes);
        Memory.putInt(segment + BlockLayout.SEGMENT_PACKETS, packets);
        segments++;
        blockPackets += packets;
        segment = 0;
        gpvs = 0;
        packets = 0;
        // The block's length is a multiple of 8, so this stays inside it.
        next = block + BlockLayout.align(next - block);
    }

    private void openBlock(int bytes) {
        long claimed = tellDropped() ? claimed(bytes) : 0;
        begin(claimed == 0 ? beside : claimed, bytes);
    }

    private void begin(long at, int bytes) {
        block = at;
        blockEnd = at + bytes;
        next = at + BlockLayout.HEADER_BYTES;
        segments = 0;
        blockPackets = 0;
        isBeside = at == beside;
    }

    /** Room in the ring; 0 where there is none and nobody waits for it. */
    private long claimed(int bytes) {
        long claimed = ring.tryClaim(bytes);
        return claimed == 0 && beside == 0 ? awaited(bytes) : claimed;
    }

    private long awaited(int bytes) {
        long claimed = 0;
        while (claimed == 0) {
            backpressure.await();
            claimed = ring.tryClaim(bytes);
        }
        backpressure.resumed();
        return claimed;
    }

    private void publish() {
        if (block == 0) {
            return;
        }
        closeSegment();
        int bytes = (int) (next - block);
        writeHeader(block, bytes, ended ? BlockLayout.FLAG_END : 0);
        long whole = isBeside ? moved(block, bytes) : block;
        block = 0;
        blockEnd = 0;
        if (whole != 0) {
            int told = (int) Math.min(lost, Integer.MAX_VALUE);
            lost -= told;
            writtenWatermarkNs = watermarkNs;
            commit(whole, told, Long.MIN_VALUE);
        }
    }

    /** Moves a block into the ring. Returns 0 if there is still no room, and drops it. */
    private long moved(long whole, int bytes) {
        int packets = blockPackets;
        long claimed = tellDropped() ? claimed(BlockLayout.align(bytes)) : 0;
        if (claimed == 0) {
            dropped.add(whole, bytes);
            droppedPackets.add(packets);
            backpressure.refused();
        } else {
            Memory.copy(whole, claimed, bytes);
        }
        return claimed;
    }

    /**
     * Tells dropped packets in blocks without GPVs, as far as there is room. No block with a newer
     * watermark may overtake them.
     *
     * @return whether all are told
     */
    private boolean tellDropped() {
        if (dropped == null || dropped.isEmpty()) {
            return true;
        }
        segments = 0;
        blockPackets = 0;
        long claimed = claimed(BlockLayout.HEADER_BYTES);
        while (claimed != 0) {
            int flags = dropped.isNextInTime() ? 0 : BlockLayout.FLAG_LOST_LATE;
            writeHeader(claimed, BlockLayout.HEADER_BYTES, flags);
            commit(claimed, dropped.nextPackets(), dropped.nextNs());
            dropped.told();
            claimed = dropped.isEmpty() ? 0 : claimed(BlockLayout.HEADER_BYTES);
        }
        return dropped.isEmpty();
    }

    private void writeHeader(long at, int bytes, int flags) {
        Memory.putInt(at + BlockLayout.LENGTH, bytes);
        Memory.putShort(at + BlockLayout.VERSION_OFFSET, (short) BlockLayout.VERSION);
        Memory.putShort(at + BlockLayout.FLAGS, (short) flags);
        Memory.putInt(at + BlockLayout.SOURCE, source);
        Memory.putInt(at + BlockLayout.PARTITION, partition);
        Memory.putInt(at + BlockLayout.PACKETS, blockPackets);
        Memory.putInt(at + BlockLayout.SEGMENTS, segments);
        Memory.putInt(at + BlockLayout.NODE, nodeSymbol);
    }

    private void commit(long at, int told, long toldNs) {
        Memory.putLong(at + BlockLayout.SEQUENCE, published.value());
        Memory.putLong(at + BlockLayout.WATERMARK, writtenWatermarkNs);
        Memory.putInt(at + BlockLayout.LOST, told);
        Memory.putLong(at + BlockLayout.LOST_AT, toldNs);
        ring.commit(at);
        published.add(1);
        times.pass(writtenWatermarkNs);
    }
}
