package io.weir.ingest.capture;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/**
 * The first bytes of a file. Its writer appends, and does not change them. So if they differ, it is
 * another file in the same place. They have the time of the first packet. One thread.
 */
final class FileStart {
    private static final int MOST_BYTES = 1024;

    private final ByteBuffer buffer = ByteBuffer.allocateDirect(MOST_BYTES);
    private byte[] bytes = {};

    /** Returns the start of a file, as it is now. */
    static FileStart of(Path file) throws IOException {
        FileStart start = new FileStart();
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            start.isStartOf(channel);
        }
        return start;
    }

    /** Returns whether the file still begins so, and takes what has come since. */
    boolean isStartOf(FileChannel file) throws IOException {
        buffer.clear();
        while (buffer.hasRemaining() && file.read(buffer, buffer.position()) >= 0) {}
        byte[] now = new byte[buffer.flip().remaining()];
        buffer.get(now);
        return isStartOf(now);
    }

    /** Returns whether the other begins so, and takes what has come since. */
    boolean isStartOf(FileStart other) {
        return isStartOf(other.bytes);
    }

    private boolean isStartOf(byte[] now) {
        int known = bytes.length;
        if (now.length < known || !Arrays.equals(now, 0, known, bytes, 0, known)) {
            return false;
        }
        bytes = now;
        return true;
    }

    /** Returns whether the file is compressed. */
    boolean isCompressed() {
        return bytes.length >= Compression.MAGIC_BYTES
                && Compression.of(
                                (bytes[0] & 0xFF)
                                        | (bytes[1] & 0xFF) << 8
                                        | (bytes[2] & 0xFF) << 16
                                        | (bytes[3] & 0xFF) << 24)
                        .isPresent();
    }
}
