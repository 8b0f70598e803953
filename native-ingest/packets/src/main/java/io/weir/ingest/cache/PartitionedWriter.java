package io.weir.ingest.cache;

import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.map.Hash;
import io.weir.operators.ring.BlockWriter;
import java.util.List;

/**
 * The writers of all rings. A GPV's writer is chosen by the hash of its source and destination
 * address, so fragments and both of a flow's GPVs meet. With N partitions of M pipelines each there
 * are N·M writers. Writer {@code p·M + m} serves pipeline m of partition p. One thread.
 */
public final class PartitionedWriter {
    private static final int ADDRESS_WORDS_V6 = 4;

    private final BlockWriter[] writers;
    private boolean published;

    public PartitionedWriter(List<BlockWriter> writers) {
        this.writers = writers.toArray(BlockWriter[]::new);
        if (this.writers.length == 0) {
            throw new IllegalArgumentException("no writer");
        }
    }

    /** Begins a step of the source: {@link #hasPublished} is false until the next block. */
    public void beginStep() {
        published = false;
    }

    /** Returns whether a block was published since {@link #beginStep}: the step should end. */
    public boolean hasPublished() {
        return published;
    }

    /** Notes whether a writer has published blocks since it had so many. */
    private void noteBlocks(BlockWriter writer, long before) {
        published |= writer.publishedBlocks() != before;
    }

    /**
     * Returns the writer of a GPV whose header is at an address.
     *
     * @param family 4 or 6; both layouts begin with the two addresses
     */
    private BlockWriter of(long header, int family) {
        return writers.length == 1 ? writers[0] : writers[index(header, family)];
    }

    /**
     * Returns room for a GPV in the ring of its pipeline, as {@link BlockWriter#claim} does.
     *
     * @param header where the GPV's header is now
     */
    public long claim(long header, GpvLayout layout, int flags, long cameNs, int count) {
        BlockWriter writer = of(header, layout.family());
        long before = writer.publishedBlocks();
        long address = writer.claim(layout, flags, cameNs, count);
        noteBlocks(writer, before);
        return address;
    }

    /** Returns how many writers there are. */
    int writers() {
        return writers.length;
    }

    /** Lends the open blocks to C. */
    void lend(CacheMemory memory) {
        for (int i = 0; i < writers.length; i++) {
            writers[i].lend(memory.writer(i));
        }
    }

    /** Takes the open blocks back from C. */
    void takeBack(CacheMemory memory) {
        for (int i = 0; i < writers.length; i++) {
            writers[i].takeBack(memory.writer(i));
        }
    }

    /** Makes the room that C has asked for. */
    void room(CacheMemory memory) {
        BlockWriter writer = writers[(int) memory.get(CacheMemory.ROOM_WRITER)];
        long before = writer.publishedBlocks();
        writer.openSegment(
                GpvLayout.all().get((int) memory.get(CacheMemory.ROOM_LAYOUT)),
                (int) memory.get(CacheMemory.ROOM_BYTES));
        noteBlocks(writer, before);
    }

    /** Returns the packets of the largest GPV of a layout that every writer takes. */
    public int maxCount(GpvLayout layout) {
        int most = Integer.MAX_VALUE;
        for (BlockWriter writer : writers) {
            most = Math.min(most, writer.maxCount(layout));
        }
        return most;
    }

    private int index(long header, int family) {
        return Hash.bucket(Hash.of(header, family == 4 ? 1 : ADDRESS_WORDS_V6), writers.length);
    }

    /** Sets the source of the GPVs from now on. */
    public void source(int source, int nodeSymbol) {
        for (BlockWriter writer : writers) {
            long before = writer.publishedBlocks();
            writer.source(source, nodeSymbol);
            noteBlocks(writer, before);
        }
    }

    /** Sets the watermark of blocks that close from now on. */
    public void watermark(long watermarkNs) {
        for (BlockWriter writer : writers) {
            writer.watermark(watermarkNs);
        }
    }

    /** Returns the latest watermark that a writer has promised; MIN_VALUE before the first. */
    public long promisedNs() {
        long latest = Long.MIN_VALUE;
        for (BlockWriter writer : writers) {
            latest = Math.max(latest, writer.promisedNs());
        }
        return latest;
    }

    /** Publishes all open blocks with this watermark. */
    public void flush(long watermarkNs) {
        for (BlockWriter writer : writers) {
            long before = writer.publishedBlocks();
            writer.flush(watermarkNs);
            noteBlocks(writer, before);
        }
    }

    /** Notes that packets may be missing between two times; nobody knows how many. */
    public void gap(long fromNs, long toNs) {
        for (BlockWriter writer : writers) {
            writer.times().gap(fromNs, toNs);
        }
    }

    /** Counts packets that the source has lost. Nobody knows their addresses. */
    public void lost(long packets) {
        writers[0].lost(packets);
    }

    /** Counts packets that the source has lost at a time. Nobody knows their addresses. */
    public void lost(long packets, long atNs) {
        long before = writers[0].publishedBlocks();
        writers[0].lost(packets, atNs);
        noteBlocks(writers[0], before);
    }

    /** Returns the packets of blocks that found no room in their rings. */
    public long droppedPackets() {
        long packets = 0;
        for (BlockWriter writer : writers) {
            packets += writer.droppedPackets();
        }
        return packets;
    }

    /** Sets the time of the first packet of all; only the first call counts. */
    public void begun(long firstNs) {
        for (BlockWriter writer : writers) {
            writer.begun(firstNs);
        }
    }

    /**
     * Publishes the last blocks.
     *
     * @param newestNs time of the newest packet of all; MIN_VALUE when there was none
     */
    public void end(long newestNs) {
        for (BlockWriter writer : writers) {
            writer.end(newestNs);
        }
    }

    /**
     * Returns the packets of the largest GPV that every writer accepts in every layout of a
     * configuration.
     */
    int maxCount(CacheConfig config) {
        int most = Integer.MAX_VALUE;
        for (GpvLayout layout : config.layouts()) {
            most = Math.min(most, maxCount(layout));
        }
        return most;
    }
}
