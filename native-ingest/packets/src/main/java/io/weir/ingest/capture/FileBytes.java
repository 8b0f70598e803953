package io.weir.ingest.capture;

import io.weir.operators.error.WeirException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A file that is read into one sliding window, so that memory does not grow with the file. It is
 * read up to its size when opened. One thread.
 *
 * <p>It is not mapped. Reading into memory that stays in the CPU's cache is as fast. And a file
 * that is shortened meanwhile is only an error.
 */
final class FileBytes extends BufferedBytes {
    private final Path path;
    private final FileChannel channel;
    private final long sizeBytes;

    private FileBytes(Path path, FileChannel channel, int windowBytes) throws IOException {
        super((int) Math.min(windowBytes, channel.size()));
        this.path = path;
        this.channel = channel;
        this.sizeBytes = channel.size();
    }

    /**
     * Opens a file without reading anything yet.
     *
     * @throws WeirException UNREADABLE_INPUT: missing, not a regular file, or not readable
     */
    static FileBytes open(Path path, int windowBytes) {
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
            return new FileBytes(path, channel, windowBytes);
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
        keepFrom(position, (int) lengthBytes);
        read(lengthBytes);
        return base + position;
    }

    /** Fills the window; at least so many bytes of it. */
    private void read(long leastBytes) {
        window.limit((int) Math.min(window.capacity(), sizeBytes - start));
        window.position((int) (end - start));
        try {
            while (end < start + leastBytes) {
                int bytes = channel.read(window, end);
                if (bytes < 0) {
                    throw shortened();
                }
                end += bytes;
            }
        } catch (IOException e) {
            throw unreadable(path, "cannot be read any more (" + e.getMessage() + ")", null);
        }
    }

    private WeirException shortened() throws IOException {
        String what =
                "was shortened while it was read, from "
                        + sizeBytes
                        + " bytes to "
                        + channel.size();
        return unreadable(path, what, "read a copy, or a file that its writer has closed");
    }

    @Override
    public void close() {
        freeWindow();
        try {
            channel.close();
        } catch (IOException e) {
            throw unreadable(path, "cannot be closed (" + e.getMessage() + ")", null);
        }
    }
}
