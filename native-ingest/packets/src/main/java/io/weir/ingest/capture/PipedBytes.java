package io.weir.ingest.capture;

import io.weir.operators.memory.Memory;
import io.weir.operators.memory.MemoryTag;
import io.weir.operators.memory.NativeAllocator;
import java.nio.file.Path;

/**
 * A capture that comes through a pipe, and is read once. The window has the current record and the
 * bytes behind it. It grows only while a record that does not fit is still coming. One thread,
 * beside that of the {@link PipeReader}.
 */
final class PipedBytes extends ByteWindow {
    private static final int WINDOW_BYTES = 256 << 10;

    private final NativeAllocator allocator;
    private final PipeReader reader;
    private long window;
    private long windowBytes;
    private boolean ended;

    /**
     * @param windowBytes at first
     */
    private PipedBytes(PipeReader reader, NativeAllocator allocator, int windowBytes) {
        this.allocator = allocator;
        this.windowBytes = windowBytes;
        this.window = allocator.allocate(windowBytes, MemoryTag.PIPE);
        this.base = window;
        this.reader = reader;
    }

    /**
     * Opens a pipe, or {@link CapturePath#STANDARD_INPUT}. It waits for no writer.
     *
     * @throws io.weir.operators.error.WeirException UNREADABLE_INPUT, OUT_OF_NATIVE_MEMORY
     */
    static PipedBytes open(Path path, NativeAllocator allocator) {
        PipeReader reader = new PipeReader(path);
        try {
            PipedBytes bytes = new PipedBytes(reader, allocator, WINDOW_BYTES);
            reader.start();
            return bytes;
        } catch (RuntimeException e) {
            reader.close();
            throw e;
        }
    }

    @Override
    long slide(long position, long lengthBytes) {
        boolean more = position <= end || skip(position);
        while (more && position + lengthBytes > end) {
            more = pull(position);
        }
        return more ? base + position : 0;
    }

    /** Skips the bytes before a position. Returns whether all of them have come. */
    private boolean skip(long position) {
        int taken = 1;
        while (end < position && taken > 0) {
            taken = take(window, Math.min(windowBytes, position - end));
        }
        start = end;
        base = window - start;
        return end == position;
    }

    /** Adds new bytes to the window, and removes those before the position. */
    private boolean pull(long position) {
        if (end - start == windowBytes) {
            makeRoom(position);
        }
        return take(base + end, windowBytes - (end - start)) > 0;
    }

    private int take(long address, long mostBytes) {
        int taken = reader.take(address, mostBytes);
        ended = taken < 0;
        end += Math.max(taken, 0);
        return taken;
    }

    private void makeRoom(long position) {
        long kept = end - position;
        long from = base + position;
        if (position > start) {
            Memory.copy(from, window, kept);
        } else {
            long larger = allocator.allocate(2 * windowBytes, MemoryTag.PIPE);
            Memory.copy(from, larger, kept);
            allocator.free(window, windowBytes, MemoryTag.PIPE);
            window = larger;
            windowBytes = 2 * windowBytes;
        }
        start = position;
        base = window - start;
    }

    @Override
    boolean isEnded() {
        return ended;
    }

    @Override
    String damage() {
        return reader.damage();
    }

    @Override
    long sizeBytes() {
        return end;
    }

    @Override
    boolean await(long timeoutNs) {
        return reader.await(timeoutNs);
    }

    @Override
    public void close() {
        reader.close();
        if (window != 0) {
            allocator.free(window, windowBytes, MemoryTag.PIPE);
            window = 0;
        }
    }
}
