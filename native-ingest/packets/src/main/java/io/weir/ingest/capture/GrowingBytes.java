package io.weir.ingest.capture;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A file that its writer still appends to. The writer may cut it, or begin it again. So the file's
 * start is compared after each read, and no byte of the other file is taken. One thread.
 */
final class GrowingBytes extends BufferedBytes {
    private final Path path;
    private final FileChannel channel;
    private final FileStart head;
    private long sizeBytes;
    private boolean finished;
    private boolean cut;

    private GrowingBytes(Path path, FileChannel channel, FileStart head) {
        super(WINDOW_BYTES);
        this.path = path;
        this.channel = channel;
        this.head = head;
    }

    /**
     * Opens a file.
     *
     * @param head as it was when the file was found
     */
    static GrowingBytes open(Path path, FileStart head) throws IOException {
        FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
        GrowingBytes bytes = new GrowingBytes(path, channel, head);
        bytes.grow();
        return bytes;
    }

    /** Returns whether there are more bytes than at the last call. */
    boolean grow() {
        long before = sizeBytes;
        try {
            long now = channel.size();
            cut |= now < before || !head.isStartOf(channel);
            sizeBytes = cut || finished ? before : now;
        } catch (IOException e) {
            throw unreadable(path, "cannot be read any more (" + e.getMessage() + ")", null);
        }
        return sizeBytes > before;
    }

    /** Notes that nobody appends to it any more. */
    void finish() {
        finished = true;
    }

    @Override
    boolean isCut() {
        return cut;
    }

    @Override
    long sizeBytes() {
        return sizeBytes;
    }

    @Override
    boolean isEnded() {
        return finished || cut;
    }

    @Override
    boolean await(long timeoutNs) {
        return true;
    }

    @Override
    long slide(long position, long lengthBytes) {
        if (cut || position + lengthBytes > sizeBytes) {
            return 0;
        }
        keepFrom(position, (int) lengthBytes);
        return read(lengthBytes) ? base + position : 0;
    }

    /** Fills the window; at least so many bytes of it. Returns false if the file was cut. */
    private boolean read(long leastBytes) {
        long before = end;
        window.limit((int) Math.min(window.capacity(), sizeBytes - start));
        window.position((int) (end - start));
        try {
            while (!cut && end < start + leastBytes) {
                int bytes = channel.read(window, end);
                cut = bytes < 0;
                end += Math.max(bytes, 0);
            }
            cut |= !head.isStartOf(channel);
        } catch (IOException e) {
            throw unreadable(path, "cannot be read any more (" + e.getMessage() + ")", null);
        }
        end = cut ? before : end;
        return !cut;
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
