package io.weir.cluster.outbox;

import io.weir.operators.account.Stage;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.wire.DocumentContext;

/**
 * What a worker has to send, on its disk, so that Kafka may be away: a queue of numbered entries.
 * It is bounded: beyond that the oldest go, in whole segments; who reads knows by the gap in the
 * numbers. It survives the process; pages are not forced to the disk, so not the machine. It is one
 * process' at a time: one that is frozen keeps it, so that what it still appends when it goes on is
 * in nobody else's files.
 *
 * <p>Appended to by one thread at a time and read by another. Appending waits for nobody.
 */
public final class Outbox implements AutoCloseable {
    /** The least bound. */
    public static final long LEAST_BYTES = 8L << 20;

    /** The longest entry: a segment of the least outbox has room for one. */
    public static final int MOST_ENTRY_BYTES = 1000 << 10;

    private static final int ENTRY_OVERHEAD_BYTES = 16;
    private static final int SPACE_CHECK_BYTES = 256 << 10;
    private static final String ID_FILE = "outbox.id";
    private static final String LOCK_FILE = "outbox.lock";

    private final Path directory;
    private final FileChannel lock;
    private final String id;
    private final Segments segments;
    private final ExcerptAppender appender;
    private final Bytes<?> buffer = Bytes.allocateElasticOnHeap();
    private final Stage stage;
    private final long limitBytes;
    private final long opened;
    private final TornEntries torn;
    private final List<OutboxNote> notes = new ArrayList<>();
    private long next;

    /** Number after the last entry that may be read. */
    private volatile long ended;

    private final AtomicLong appendedBytes = new AtomicLong();

    private long uncheckedBytes = SPACE_CHECK_BYTES;
    private Runnable onOverflow = () -> {};
    private boolean overflowing;
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
            this.lock = lock(directory);
        } catch (IOException e) {
            throw impossible(directory, e);
        }
        try {
            this.id = id(directory.resolve(ID_FILE));
            this.segments = new Segments(directory, maxBytes);
        } catch (IOException e) {
            unlock();
            throw impossible(directory, e);
        }
        this.opened = segments.lastNumber() + 1;
        this.next = opened;
        this.ended = opened;
        try {
            this.torn = TornEntries.found(directory, segments.queue(), opened);
        } catch (IOException e) {
            segments.close();
            unlock();
            throw impossible(directory, e);
        }
        this.appender = segments.queue().createAppender();
        appender.singleThreadedCheckDisabled(true);
    }

    private static WeirException impossible(Path directory, IOException why) {
        return new WeirException(
                ErrorCode.UNWRITABLE_OUTPUT, "no outbox can be made in " + directory + ": " + why);
    }

    private void unlock() {
        try {
            lock.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static FileChannel lock(Path directory) throws IOException {
        FileChannel channel =
                FileChannel.open(
                        directory.resolve(LOCK_FILE),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE);
        FileLock taken = null;
        try {
            taken = channel.tryLock();
        } catch (OverlappingFileLockException e) {
            taken = null; // by this very process
        }
        if (taken == null) {
            channel.close();
            throw new WeirException(
                    ErrorCode.UNWRITABLE_OUTPUT,
                    "another process has the outbox in " + directory,
                    "end that, or name another directory with --outbox");
        }
        return channel;
    }

    /**
     * To be told when entries begin to go unsent, by the appending thread, once until something is
     * sent again. Before the first entry.
     */
    public void onOverflow(Runnable action) {
        onOverflow = action;
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

    /** Adds an entry that stands alone; what cannot be kept is counted as lost. */
    public void append(byte[] entry) {
        append(entry, false);
    }

    /**
     * Adds an entry; what cannot be kept is counted as lost.
     *
     * @param more whether the next one belongs to it: readers see neither before the last of them,
     *     and should the process end in between, nobody does
     */
    public synchronized void append(byte[] entry, boolean more) {
        keep(entry, more);
        if (!more) {
            ended = next;
        }
    }

    /** Bytes of all entries that were offered in this life. Any thread. */
    public long appendedBytes() {
        return appendedBytes.get();
    }

    private void keep(byte[] entry, boolean more) {
        stage.offered().add(1);
        appendedBytes.addAndGet(entry.length);
        if (closed) {
            stage.lost("outbox_closed").add(1);
        } else if (entry.length > MOST_ENTRY_BYTES) {
            stage.lost("row_too_large").add(1);
        } else if (isDiskFull(entry.length)) {
            stage.lost("disk_full").add(1);
        } else {
            write(entry, more);
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

    private void write(byte[] entry, boolean more) {
        boolean dropped = segments.beforeAppend(next, entry.length + ENTRY_OVERHEAD_BYTES);
        if (dropped && !overflowing) {
            overflowing = true;
            onOverflow.run();
        }
        buffer.clear();
        buffer.writeLong(more ? next | EntryNumber.MORE : next);
        buffer.write(entry);
        try (DocumentContext document = appender.writingDocument()) {
            document.wire().bytes().write(buffer);
        }
        next++;
    }

    /** Whether a process before this has appended that entry, and all that belongs to it. */
    boolean had(long number) {
        return number < opened && !torn.holds(number);
    }

    /** What is kept beside it under a name, from one process to the next; closed with it. */
    public synchronized OutboxNote note(String name) {
        OutboxNote note = new OutboxNote(directory, name, this);
        notes.add(note);
        return note;
    }

    /** A reader of its own; one thread. */
    public OutboxReader reader() {
        return new OutboxReader(segments.queue(), torn, () -> ended);
    }

    /**
     * How many entries from that number on and before the other are never read, for a process was
     * killed before the last of those that they belong to.
     */
    public long cutOff(long from, long to) {
        return torn.count(from, to);
    }

    /** How many entries from that number on are still to be read. */
    public synchronized long waiting(long from) {
        return next - from - torn.count(from, next);
    }

    /** Entries of a process before this that are still to be sent are offered anew. */
    public synchronized void offerAgain(long entries) {
        stage.offered().add(entries);
    }

    /** What comes before this number was sent and is not needed any more. */
    public synchronized void release(long number) {
        overflowing = false;
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
            notes.forEach(OutboxNote::close);
            appender.close();
            segments.close();
            unlock();
        }
    }
}
