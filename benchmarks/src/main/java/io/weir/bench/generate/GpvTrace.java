package io.weir.bench.generate;

import io.weir.operators.gpv.BlockLayout;
import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.memory.Memory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.agrona.BufferUtil;

/**
 * Traffic as a file of blocks of GPVs ({@link BlockLayout}), each at a multiple of {@link
 * #BLOCK_BYTES}. Kernels and the native baseline map it, so all read the same memory. Immutable
 * once written; any thread.
 */
public final class GpvTrace {
    public static final int BLOCK_BYTES = 64 << 10;

    private static final int CHUNK_BLOCKS = 8192;
    private static final long CHUNK_BYTES = (long) CHUNK_BLOCKS * BLOCK_BYTES;

    private final List<MappedByteBuffer> chunks = new ArrayList<>();
    private final int blocks;
    private final long packets;

    private GpvTrace(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            long bytes = channel.size();
            for (long at = 0; at < bytes; at += CHUNK_BYTES) {
                long length = Math.min(CHUNK_BYTES, bytes - at);
                chunks.add(channel.map(MapMode.READ_ONLY, at, length).load());
            }
            blocks = Math.toIntExact(bytes / BLOCK_BYTES);
        }
        long counted = 0;
        for (int block = 0; block < blocks; block++) {
            counted += Memory.getInt(blockAddress(block) + BlockLayout.PACKETS);
        }
        packets = counted;
    }

    /** Makes a trace without a file that stays. */
    public static GpvTrace unnamed(TrafficShape shape, String layout) throws IOException {
        Path file = Files.createTempFile("trace", ".gpv");
        write(shape, layout, file);
        GpvTrace trace = open(file);
        Files.delete(file);
        return trace;
    }

    /** Maps a trace that was written. */
    public static GpvTrace open(Path file) throws IOException {
        return new GpvTrace(file);
    }

    /**
     * Writes the trace of a shape: whole or not at all.
     *
     * @param layoutName {@code flow32} or {@code full}
     */
    public static void write(TrafficShape shape, String layoutName, Path file) throws IOException {
        Path part = file.resolveSibling(file.getFileName() + ".part");
        try (FileChannel channel =
                FileChannel.open(
                        part,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE)) {
            write(shape, layoutName, channel);
            // The disk's work must not fall into the next measurement.
            channel.force(false);
        }
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
    }

    private static void write(TrafficShape shape, String layoutName, FileChannel channel)
            throws IOException {
        GpvLayout v4 = GpvLayout.of(layoutName, 4).orElseThrow();
        GpvLayout v6 = GpvLayout.of(layoutName, 6).orElseThrow();
        ByteBuffer buffer = BufferUtil.allocateDirectAligned(BLOCK_BYTES, Long.BYTES);
        long address = BufferUtil.address(buffer);
        Traffic traffic = new Traffic(shape);
        Burst burst = new Burst();
        int written = 0;
        BlockFill fill = new BlockFill(address, written);
        while (traffic.next(burst)) {
            GpvLayout layout = burst.family == 4 ? v4 : v6;
            if (!fill.add(burst, layout)) {
                drain(fill, buffer, channel);
                written++;
                Memory.fill(address, BLOCK_BYTES, (byte) 0);
                fill = new BlockFill(address, written);
                fill.add(burst, layout);
            }
        }
        drain(fill, buffer, channel);
    }

    private static void drain(BlockFill fill, ByteBuffer buffer, FileChannel channel)
            throws IOException {
        fill.finish();
        buffer.clear();
        while (buffer.hasRemaining()) {
            channel.write(buffer);
        }
    }

    public int blocks() {
        return blocks;
    }

    public long packets() {
        return packets;
    }

    public long blockAddress(int block) {
        long chunk = BufferUtil.address(chunks.get(block / CHUNK_BLOCKS));
        return chunk + (long) (block % CHUNK_BLOCKS) * BLOCK_BYTES;
    }

    public int blockLength(int block) {
        return Memory.getInt(blockAddress(block) + BlockLayout.LENGTH);
    }
}
