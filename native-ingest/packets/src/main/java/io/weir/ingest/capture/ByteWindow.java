package io.weir.ingest.capture;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.nio.file.Path;

/**
 * The bytes of a capture, with a window in memory: of a file, or of a pipe. It slides forward only.
 * One thread.
 */
abstract class ByteWindow implements AutoCloseable {
    /** The greatest length of a piece. */
    static final int LONGEST_PIECE_BYTES = 512 << 20;

    /** Position of the first byte in memory. */
    long start;

    /** Position behind the last byte in memory. */
    long end;

    /** The address that the byte at position 0 would have. */
    long base;

    /**
     * Returns the address of {@code lengthBytes} bytes at {@code position}, valid until the next
     * call. It is 0 when the capture ends before the last of them, or they have not come yet;
     * {@link #isEnded} distinguishes the two.
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

    /** Does the same, but waits for bytes that have not come; 0 only at the end. */
    final long awaitAddress(long position, long lengthBytes) {
        long address = address(position, lengthBytes);
        while (address == 0 && !isEnded()) {
            await(Long.MAX_VALUE);
            address = address(position, lengthBytes);
        }
        return address;
    }

    /** Does {@link #address} for bytes that are not in memory. */
    abstract long slide(long position, long lengthBytes);

    /**
     * Returns whether no more bytes than {@link #sizeBytes} will come, as of the last {@link
     * #address}.
     */
    abstract boolean isEnded();

    /** Returns the bytes of the whole capture; for a pipe that has not ended, the bytes so far. */
    abstract long sizeBytes();

    /** Returns the reason why the rest cannot be decompressed; null if there is none. */
    String damage() {
        return null;
    }

    /** Returns whether its writer has cut it, or begun it again, before it was read whole. */
    boolean isCut() {
        return false;
    }

    /** Waits for more bytes, or for the end. Returns false when nothing came in this time. */
    abstract boolean await(long timeoutNs);

    @Override
    public abstract void close();

    static WeirException unreadable(Path path, String what, String hint) {
        return new WeirException(
                ErrorCode.UNREADABLE_INPUT, CapturePath.name(path) + ": " + what, hint);
    }
}
