package io.weir.ingest.capture;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;

/** One file that is followed, from its first packet to its last. One thread. */
final class FollowedFile {
    /** The bytes that a file has at least once its format is known. */
    static final int LEAST_BYTES = 28;

    private static final int WINDOW_BYTES = 64 << 10;

    /** The way of a file. */
    enum State {
        UNREAD,
        READING,
        READ,
        NO_CAPTURE
    }

    private final FileStart start;
    private Path path;
    private FileTime changed;
    private long sizeBytes;
    private long firstNs = Long.MAX_VALUE;
    private long readBytes;
    State state = State.UNREAD;

    FollowedFile(Path path, BasicFileAttributes now) throws IOException {
        start = FileStart.of(path);
        see(path, now);
    }

    Path path() {
        return path;
    }

    FileStart start() {
        return start;
    }

    /** Returns the time of its first packet; MAX_VALUE if it has none yet. */
    long firstNs() {
        return firstNs;
    }

    FileTime changed() {
        return changed;
    }

    /** Returns whether it was written to since it was seen. */
    boolean hasChanged(BasicFileAttributes now) {
        return !now.lastModifiedTime().equals(changed) || now.size() != sizeBytes;
    }

    /** Notes how it is now. */
    void see(Path now, BasicFileAttributes attributes) {
        path = now;
        changed = attributes.lastModifiedTime();
        sizeBytes = attributes.size();
    }

    /** Returns whether it has packets that nobody has read. */
    boolean isMissed() {
        return state == State.UNREAD && firstNs != Long.MAX_VALUE;
    }

    /** Returns whether its writer has gone on after it was left; true once. */
    boolean hasGrownUnread() {
        boolean grown = state == State.READ && sizeBytes > readBytes;
        readBytes = grown ? Long.MAX_VALUE : readBytes;
        return grown;
    }

    /** Notes that it was read up to here, and is left. */
    void leave(long bytes) {
        state = State.READ;
        readBytes = bytes;
    }

    /** Looks for its first packet. Returns the reason why it is no capture; null if it may be. */
    String lookForPacket() {
        if (state != State.UNREAD || firstNs != Long.MAX_VALUE || sizeBytes < LEAST_BYTES) {
            return null;
        }
        if (start.isCompressed()) {
            return "is compressed, and cannot be followed";
        }
        try (CaptureFile file = Captures.open(path, WINDOW_BYTES)) {
            firstNs = file.next() ? file.tsNs() : firstNs;
        } catch (WeirException e) {
            return e.code() == ErrorCode.NOT_A_CAPTURE ? "is no capture" : null;
        }
        return null;
    }
}
