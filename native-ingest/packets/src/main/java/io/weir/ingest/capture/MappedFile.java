package io.weir.ingest.capture;

import io.weir.operators.error.WeirException;
import io.weir.operators.memory.NativeAllocator;
import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.agrona.BufferUtil;
import org.agrona.IoUtil;

/**
 * A file behind one sliding memory-mapped window, so that memory does not grow with the file. Only
 * this class of the module maps files. It is read up to its size when opened. If it is shortened
 * meanwhile, reading the missing part is an InternalError of the JVM; {@link #checkLength} explains
 * it. One thread.
 */
final class MappedFile extends ByteWindow {
    /**
     * The size is large enough that moving costs nothing, and small enough not to matter as memory.
     */
    static final int WINDOW_BYTES = 64 << 20;

    private final Path path;
    private final FileChannel channel;
    private final long sizeBytes;
    private final int windowBytes;

    private MappedByteBuffer window;

    private MappedFile(Path path, FileChannel channel, int windowBytes) throws IOException {
        this.path = path;
        this.channel = channel;
        this.sizeBytes = channel.size();
        this.windowBytes = windowBytes;
    }

    /**
     * Opens a file without mapping anything yet.
     *
     * @throws WeirException UNREADABLE_INPUT: missing, not a regular file, or not readable
     */
    static MappedFile open(Path path, int windowBytes) {
        if (!Files.exists(path)) {
            throw unreadable(path, "no such file", null);
        }
        if (!Files.isRegularFile(path)) {
            boolean directory = Files.isDirectory(path);
            String what = directory ? "is a directory" : "is not a regular file";
            String hint = "it is read more than once here: write the capture to a file first";
            throw unreadable(path, what, directory ? "name a capture file" : hint);
        }
        try {
            FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
            return new MappedFile(path, channel, windowBytes);
        } catch (IOException e) {
            throw unreadable(path, "cannot be opened (" + e.getMessage() + ")", null);
        }
    }

    @Override
    long sizeBytes() {
        return sizeBytes;
    }

    @Override
    boolean isEnded() {
        return true;
    }

    @Override
    boolean await(long timeoutNs) {
        return true;
    }

    @Override
    long slide(long position, long lengthBytes) {
        if (position + lengthBytes > sizeBytes) {
            return 0;
        }
        unmap();
        long bytes = Math.min(sizeBytes - position, Math.max(windowBytes, lengthBytes));
        try {
            window = channel.map(MapMode.READ_ONLY, position, bytes);
        } catch (IOException e) {
            throw unreadable(path, "cannot be mapped (" + e.getMessage() + ")", null);
        }
        NativeAllocator.countMapped(bytes);
        start = position;
        end = position + bytes;
        base = BufferUtil.address(window) - position;
        return base + position;
    }

    private void unmap() {
        if (window != null) {
            IoUtil.unmap(window);
            NativeAllocator.countMapped(start - end);
            window = null;
            start = 0;
            end = 0;
        }
    }

    /**
     * Fails if the file is shorter now than when it was opened.
     *
     * @throws WeirException UNREADABLE_INPUT
     */
    @Override
    void checkLength() {
        long now;
        try {
            now = channel.size();
        } catch (IOException e) {
            throw unreadable(path, "cannot be read any more (" + e.getMessage() + ")", null);
        }
        if (now < sizeBytes) {
            String what = "was shortened while it was read, from " + sizeBytes + " bytes to " + now;
            throw unreadable(path, what, "read a copy, or a file that its writer has closed");
        }
    }

    @Override
    public void close() {
        unmap();
        try {
            channel.close();
        } catch (IOException e) {
            throw unreadable(path, "cannot be closed (" + e.getMessage() + ")", null);
        }
    }
}
