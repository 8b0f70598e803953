package io.weir.cluster.disk;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** The reason why a disk refuses a write. */
public enum DiskFault {
    /** It has no room, or its quota is used up. */
    FULL("disk_full"),
    READ_ONLY("disk_read_only"),
    /** A call failed for another reason. */
    FAILED("disk_failed");

    private final String reason;

    DiskFault(String reason) {
        this.reason = reason;
    }

    /** The name under which an account counts the loss. */
    public String reason() {
        return reason;
    }

    /**
     * @param directory on that disk, whether it is there or not
     */
    public static DiskFault of(IOException failure, Path directory) {
        String said =
                failure instanceof FileSystemException of ? of.getReason() : failure.getMessage();
        String text = String.valueOf(said).toLowerCase(Locale.ROOT);
        if (text.contains("no space left") || text.contains("quota")) {
            return FULL;
        } else if (text.contains("read-only") || isReadOnly(failure, directory)) {
            return READ_ONLY;
        }
        // The words of the system may be in another language.
        return DiskSpace.freeBytes(DiskSpace.existing(directory)) < DiskSpace.LEAST_BYTES
                ? FULL
                : FAILED;
    }

    /** The system's words may be in another language. A missing right has an error of its own. */
    private static boolean isReadOnly(IOException failure, Path directory) {
        return !(failure instanceof AccessDeniedException)
                && !Files.isWritable(DiskSpace.existing(directory));
    }
}
