package io.weir.cluster.outbox;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Whether a disk has room for more: a page of a mapped file that cannot be backed ends the process,
 * so it is not come to that. The disk's thread; {@link #isFull} is for any.
 */
final class DiskRoom {
    private static final int CHECK_BYTES = 256 << 10;

    private final Path directory;
    private final long reserveBytes;
    private final Runnable onFull;
    private long uncheckedBytes = CHECK_BYTES;
    private volatile boolean full;

    /**
     * @param reserveBytes that are to be free
     * @param onFull told each time that they begin not to be
     */
    DiskRoom(Path directory, long reserveBytes, Runnable onFull) {
        this.directory = directory;
        this.reserveBytes = reserveBytes;
        this.onFull = onFull;
    }

    /** Whether it had no room when it was last looked at. */
    boolean isFull() {
        return full;
    }

    /** Whether so many more can be written. */
    boolean isFor(int bytes) {
        uncheckedBytes += bytes;
        if (full || uncheckedBytes >= CHECK_BYTES) {
            uncheckedBytes = 0;
            boolean before = full;
            full = usableBytes() < reserveBytes;
            if (full && !before) {
                onFull.run();
            }
        }
        return !full;
    }

    private long usableBytes() {
        try {
            return Files.getFileStore(directory).getUsableSpace();
        } catch (IOException e) {
            return 0;
        }
    }
}
