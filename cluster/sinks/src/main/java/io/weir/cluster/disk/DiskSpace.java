package io.weir.cluster.disk;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The room of a disk. */
public final class DiskSpace {
    /** So much must be free before a disk that was full is written to again. */
    static final long LEAST_BYTES = 256 << 10;

    private DiskSpace() {}

    /**
     * Returns the room at a directory for a user other than root; 0 if it is gone. A FileStore
     * would look for its mount first, which a chroot does not show.
     */
    public static long freeBytes(Path directory) {
        return directory.toFile().getUsableSpace();
    }

    /**
     * Says why so much may find no room in a directory; empty if there is room.
     *
     * @param usedBytes of it, which have their room
     */
    public static Optional<String> shortage(Path directory, long bytes, long usedBytes) {
        Path there = existing(directory);
        long total = there.toFile().getTotalSpace();
        long free = freeBytes(there) + usedBytes;
        if (total > 0 && total < bytes) {
            return Optional.of("the disk of " + directory + " has " + mib(total) + " in all");
        } else if (total > 0 && free < bytes) {
            return Optional.of("the disk of " + directory + " has " + mib(free) + " for it now");
        }
        return Optional.empty();
    }

    /** The directory, or the first above it that is there. */
    static Path existing(Path directory) {
        Path at = directory.toAbsolutePath();
        while (!Files.exists(at) && at.getParent() != null) {
            at = at.getParent();
        }
        return at;
    }

    private static String mib(long bytes) {
        return (bytes >> 20) + " MiB";
    }
}
