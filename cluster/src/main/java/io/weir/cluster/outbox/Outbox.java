package io.weir.cluster.outbox;

import io.weir.operators.account.Stage;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.wire.DocumentContext;

/**
 * What a worker has to send, on its disk, so that Kafka may be away: a queue of numbered entries.
 * It is bounded: beyond that the oldest go, in whole segments; who reads knows by the gap in the
 * numbers. It survives the process; pages are not forced to the disk, so not the machine.
 *
 * <p>Appended to by one thread at a time and read by another. Appending waits for nobody.
 */
public final class Outbox implements AutoCloseable {
    /** The least bound. */
    public static final long LEAST_BYTES = 8L << 20;

    /** The longest entry. */
    public static final int MOST_ENTRY_BYTES = 512 << 10;

    private static final int ENTRY_OVERHEAD_BYTES = 16;
    private static final int SPACE_CHECK_BYTES = 256 << 10;
    private static final String ID_FILE = "outbox.id";

    private final Path directory;
    private final String id;
    private final Segments segments;
    private final ExcerptAppender appender;
    private final Bytes<?> buffer = Bytes.allocateElasticOnHeap();
    private final Stage stage;
    private final long limitBytes;
    private final long opened;
    private long next;
    private long uncheckedBytes = SPACE_CHECK_BYTES;
    private boolean full;
    private boolean closed;

    /**
     * Opens the outbox of a directory, or makes it.
     *
     * @param maxBytes of all entries; at least {@link #LEAST_BYTES}
     * @param stage counts entries
     */
    public Outbox(Path directory, long maxBytes, Stage stage) {
        if (maxBytes < LEAST_BYTES) {
            throw new WeirException(
                    ErrorCode.INVALID_OPTION,
                    "an outbox of " + maxBytes + " bytes cannot be",
                    "at least " + LEAST_BYTES);
        }
        this.directory = directory;
        this.stage = stage;
        this.limitBytes = maxBytes;
        try {
            Files.createDirectories(directory);
            this.id = id(directory.resolve(ID_FILE));
            this.segments = new Segments(directory, maxBytes);
        } catch (IOException e) {
            throw new WeirException(
                    ErrorCode.UNWRITABLE_OUTPUT,
                    "no outbox can be made in " + directory + ": " + e);
        }
        this.opened = segments.lastNumber() + 1;
        this.next = opened;
        this.appender = segments.queue().createAppender();
        appender.singleThreadedCheckDisabled(true);
    }

    private static String id(Path file) throws IOException {
        if (!Files.exists(file)) {
            Files.writeString(file, UUID.randomUUID().toString());
        }
        return Files.readString(file).strip();
    }

    /** Of these files: a new directory is another outbox, whose numbers begin at 0. */
    public String id() {
        return id;
    }

    /** Number of the first entry of this process: those before are of others. */
    public long opened() {
        return opened;
    }

    /** Number of the next entry. */
    public synchronized long next() {
        return next;
    }

    /** Adds an entry; what cannot be kept is counted as lost. */
    public synchronized void append(byte[] entry) {
        stage.offered().add(1);
        if (closed) {
            stage.lost("outbox_closed").add(1);
        } else if (entry.length > MOST_ENTRY_BYTES) {
            stage.lost("row_too_large").add(1);
        } else if (isDiskFull(entry.length)) {
            stage.lost("disk_full").add(1);
        } else {
            write(entry);
        }
    }

    /** A page that cannot be backed ends the process: so it is not come to that. */
    private boolean isDiskFull(int bytes) {
        uncheckedBytes += bytes;
        if (full || uncheckedBytes >= SPACE_CHECK_BYTES) {
            uncheckedBytes = 0;
            try {
                full = Files.getFileStore(directory).getUsableSpace() < segments.reserveBytes();
            } catch (IOException e) {
                full = true;
            }
        }
        return full;
    }

    private void write(byte[] entry) {
        segments.beforeAppend(next, entry.length + ENTRY_OVERHEAD_BYTES);
        buffer.clear();
        buffer.writeLong(next);
        buffer.write(entry);
        try (DocumentContext document = appender.writingDocument()) {
            document.wire().bytes().write(buffer);
        }
        next++;
    }

    /** A reader of its own; one thread. */
    public OutboxReader reader() {
        return new OutboxReader(segments.queue());
    }

    /** Entries of a process before this that are still to be sent are offered anew. */
    public synchronized void offerAgain(long entries) {
        stage.offered().add(entries);
    }

    /** What comes before this number was sent and is not needed any more. */
    public synchronized void release(long number) {
        segments.release(number);
    }

    /** Of what is in it, at most: a file counts as full once another follows. */
    public synchronized long bytes() {
        return segments.bytes();
    }

    /** What {@link #bytes} never exceeds. */
    public long limitBytes() {
        return limitBytes;
    }

    public Stage stage() {
        return stage;
    }

    /** What is in it stays. Idempotent. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            appender.close();
            segments.close();
        }
    }
}
