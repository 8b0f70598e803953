package io.weir.ingest.capture;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.nio.file.Path;

/**
 * The bytes of a capture, of which a window is in memory: of a file that is mapped, or of a pipe as
 * they come. It slides forward only. One thread.
 */
abstract class ByteWindow implements AutoCloseable {
    /** No piece may be longer. */
    static final int LONGEST_PIECE_BYTES = 512 << 20;

    /** Position of the first byte in memory, */
    long start;

    /** and of the one behind the last. */
    long end;

    /** Where the byte at position 0 would be. */
    long base;

    /**
     * Where {@code lengthBytes} bytes at {@code position} are in memory, until the next call; 0
     * when the capture ends before the last of them, or has not come so far: {@link #isEnded}
     * tells.
     *
     * @param position never before an earlier one
     * @param lengthBytes at most {@link #LONGEST_PIECE_BYTES}
     */
    final long address(long position, long lengthBytes) {
        if (position >= start && position + lengthBytes <= end) {
            return base + position;
        }
        return slide(position, lengthBytes);
    }

    /** The same, but waits for what has not come; 0 only at the end. */
    final long awaitAddress(long position, long lengthBytes) {
        long address = address(position, lengthBytes);
        while (address == 0 && !isEnded()) {
            await(Long.MAX_VALUE);
            address = address(position, lengthBytes);
        }
        return address;
    }

    /** {@link #address} of what is not in memory. */
    abstract long slide(long position, long lengthBytes);

    /** Whether no more bytes come than {@link #sizeBytes}, as of the last {@link #address}. */
    abstract boolean isEnded();

    /** Bytes of the whole capture; before a pipe has ended those that were seen. */
    abstract long sizeBytes();

    /** Waits for more bytes, or for the end; false when nothing came in this time. */
    abstract boolean await(long timeoutNs);

    /** Fails where bytes that were there are gone. */
    abstract void checkLength();

    @Override
    public abstract void close();

    static WeirException unreadable(Path path, String what, String hint) {
        return new WeirException(
                ErrorCode.UNREADABLE_INPUT, CaptureFile.name(path) + ": " + what, hint);
    }
}
