package io.weir.cluster.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/**
 * Whether a disk takes more, asked before each store to a mapped file. A page that cannot be backed
 * ends the process, so it is not come to that. And a store that waits for a disk keeps every other
 * thread at the JVM's next safepoint, so a call is made first that waits in its place: there a
 * thread keeps nobody. The disk's thread; {@link #isFull} is for any.
 */
public final class DiskRoom {
    private static final int CHECK_BYTES = 256 << 10;

    private final Path directory;
    private final FileChannel file;
    private final ByteBuffer mark = ByteBuffer.allocateDirect(1);
    private final long reserveBytes;
    private final Runnable onFull;
    private long uncheckedBytes = CHECK_BYTES;
    private volatile boolean full;

    /**
     * @param file on that disk, of which the first byte means nothing
     * @param reserveBytes that are to be free
     * @param onFull told each time that they begin not to be
     */
    public DiskRoom(Path directory, FileChannel file, long reserveBytes, Runnable onFull) {
        this.directory = directory;
        this.file = file;
        this.reserveBytes = reserveBytes;
        this.onFull = onFull;
    }

    /** Whether it had no room when it was last looked at. */
    public boolean isFull() {
        return full;
    }

    /** Whether so many more can be written; returns once the disk answers. */
    public boolean isFor(int bytes) {
        awaitDisk();
        uncheckedBytes += bytes;
        if (full || uncheckedBytes >= CHECK_BYTES) {
            uncheckedBytes = 0;
            boolean before = full;
            full = freeBytes(directory) < reserveBytes;
            if (full && !before) {
                onFull.run();
            }
        }
        return !full;
    }

    private void awaitDisk() {
        mark.rewind();
        try {
            file.write(mark, 0);
        } catch (IOException e) {
            return; // it answers
        }
    }

    /**
     * Room where a directory is, for who does not run as root; 0 where it is gone. A FileStore
     * would look for its mount first, which a chroot does not show.
     */
    public static long freeBytes(Path directory) {
        return directory.toFile().getUsableSpace();
    }
}
