package io.weir.bench.generate;

import io.weir.operators.gpv.BlockLayout;
import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.memory.Memory;
import io.weir.operators.memory.MemoryTag;
import io.weir.operators.memory.NativeAllocator;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Traffic as blocks of GPVs in native memory ({@link BlockLayout}), each at a multiple of {@link
 * #BLOCK_BYTES} from its chunk's start. Immutable once made; any thread; the maker closes it.
 */
public final class GpvTrace implements AutoCloseable {
    public static final int BLOCK_BYTES = 64 << 10;

    private static final int CHUNK_BLOCKS = 1024;
    private static final long CHUNK_BYTES = (long) CHUNK_BLOCKS * BLOCK_BYTES;

    private final NativeAllocator allocator;
    private final List<Long> chunks = new ArrayList<>();
    private int blocks;
    private long packets;
    private long gpvs;

    private GpvTrace(NativeAllocator allocator) {
        this.allocator = allocator;
    }

    /**
     * Makes the trace of a shape.
     *
     * @param layoutName {@code flow32} or {@code full}
     */
    public static GpvTrace generate(
            TrafficShape shape, String layoutName, NativeAllocator allocator) {
        GpvTrace trace = new GpvTrace(allocator);
        GpvLayout v4 = GpvLayout.of(layoutName, 4).orElseThrow();
        GpvLayout v6 = GpvLayout.of(layoutName, 6).orElseThrow();
        Traffic traffic = new Traffic(shape);
        Burst burst = new Burst();
        BlockFill fill = null;
        while (traffic.next(burst)) {
            GpvLayout layout = burst.family == 4 ? v4 : v6;
            if (fill == null || !fill.add(burst, layout)) {
                finish(fill);
                fill = new BlockFill(trace.newBlock(), trace.blocks - 1);
                fill.add(burst, layout);
            }
            trace.gpvs++;
            trace.packets += burst.count;
        }
        finish(fill);
        return trace;
    }

    public int blocks() {
        return blocks;
    }

    public long packets() {
        return packets;
    }

    public long gpvs() {
        return gpvs;
    }

    public long blockAddress(int block) {
        return chunks.get(block / CHUNK_BLOCKS) + (long) (block % CHUNK_BLOCKS) * BLOCK_BYTES;
    }

    public int blockLength(int block) {
        return Memory.getInt(blockAddress(block) + BlockLayout.LENGTH);
    }

    /** Dumps the blocks, {@link #BLOCK_BYTES} each, for the native baseline. */
    public void writeTo(Path file) throws IOException {
        try (FileChannel channel =
                FileChannel.open(
                        file,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE)) {
            ByteBuffer copy = ByteBuffer.allocateDirect(BLOCK_BYTES);
            UnsafeBuffer to = new UnsafeBuffer(copy);
            for (int block = 0; block < blocks; block++) {
                Memory.copy(blockAddress(block), to.addressOffset(), BLOCK_BYTES);
                copy.clear();
                while (copy.hasRemaining()) {
                    channel.write(copy);
                }
            }
            // The disk's work must not fall into what is measured next.
            channel.force(false);
        }
    }

    private long newBlock() {
        if (blocks % CHUNK_BLOCKS == 0) {
            chunks.add(allocator.allocate(CHUNK_BYTES, MemoryTag.TEST));
        }
        return blockAddress(blocks++);
    }

    private static void finish(BlockFill fill) {
        if (fill != null) {
            fill.finish();
        }
    }

    @Override
    public void close() {
        chunks.forEach(chunk -> allocator.free(chunk, CHUNK_BYTES, MemoryTag.TEST));
        chunks.clear();
        blocks = 0;
    }
}
