package io.weir.cluster.outbox;

import io.weir.cluster.disk.DiskRoom;
import io.weir.cluster.disk.DiskWork;
import io.weir.cluster.disk.Patience;
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
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
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
 * <p>Appended to by one thread at a time and read by another. Who appends does not touch the disk:
 * a thread of the outbox' own does ({@link DiskWork}). Where that one does not keep up, or hangs, a
 * part of the bound waits in memory; what comes beyond that is lost.
 */
public final class Outbox implements AutoCloseable {
    /** The least bound. */
    public static final long LEAST_BYTES = 8L << 20;

    /** The longest entry: a segment of the least outbox has room for one. */
    public static final int MOST_ENTRY_BYTES = 1000 << 10;

    private static final int ENTRY_OVERHEAD_BYTES = 16;

    /** Of the bound, what may wait for the disk. */
    private static final int IN_MEMORY = 4;

    private static final String DISK_FULL = "disk_full";
    private static final String DISK_SLOW = "disk_slow";
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
    private final DiskRoom room;
    private final DiskWork disk;
    private volatile long next;

    /** Whether entries were appended that belong to one that has not come. */
    private boolean open;

    /** Number after the last entry that may be read. */
    private volatile long ended;

    private final AtomicLong appendedBytes = new AtomicLong();

    private Consumer<Trouble> onTrouble = trouble -> {};
    private volatile boolean overflowing;
    private boolean slow;
    private volatile boolean closed;

    /** Once nothing more is appended: whether its disk does what it is given. */
    private boolean answers;

    private boolean left;

    /** Why entries begin to be lost. */
    public enum Trouble {
        /** The oldest make room for those that come. */
        FULL("is full: the oldest are lost"),
        /** Those that come are lost. */
        SLOW("waits for a disk that does not keep up: what comes is lost"),
        DISK_FULL("has no room on its disk: what comes is lost");

        private final String text;

        Trouble(String text) {
            this.text = text;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    /**
     * Opens the outbox of a directory, or makes it.
     *
     * @param maxBytes of all entries; at least {@link #LEAST_BYTES}
     * @param stage counts entries
     * @param patience of who appends, with the disk
     */
    public Outbox(Path directory, long maxBytes, Stage stage, Patience patience) {
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
        this.room =
                new DiskRoom(
                        directory, lock, segments.reserveBytes(), () -> tell(Trouble.DISK_FULL));
        this.disk = new DiskWork("weir-disk " + directory, maxBytes / IN_MEMORY, patience);
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
     * To be told when entries begin to be lost, once until it is over: by the appending thread, or
     * the disk's. Before the first entry.
     */
    public void onTrouble(Consumer<Trouble> action) {
        onTrouble = action;
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

    /** Number of the next entry. Any thread. */
    public long next() {
        return next;
    }

    /** Adds an entry that stands alone; what cannot be kept is counted as lost. */
    public void append(byte[] entry) {
        append(entry, false);
    }

    /**
     * Adds an entry; what cannot be kept is counted as lost, and has no number.
     *
     * @param more whether the next one belongs to it: readers see neither before the last of them,
     *     and should the process end in between, nobody does
     */
    public void append(byte[] entry, boolean more) {
        offered(1);
        appendedBytes.addAndGet(entry.length);
        long number = next;
        if (isKept(entry, number, more)) {
            next = number + 1;
            open = more;
        } else if (!more && open) {
            open = false; // those before it are whole without it
            disk.offer(0, () -> isWhole(number), () -> {});
        }
    }

    /** Bytes of all entries that were offered in this life. Any thread. */
    public long appendedBytes() {
        return appendedBytes.get();
    }

    private boolean isKept(byte[] entry, long number, boolean more) {
        if (closed) {
            stage.lost("outbox_closed").add(1);
        } else if (entry.length > MOST_ENTRY_BYTES) {
            stage.lost("row_too_large").add(1);
        } else if (room.isFull()) {
            stage.lost(DISK_FULL).add(1);
        } else if (disk.offer(
                entry.length, () -> isWritten(entry, number, more), () -> givenUp(number))) {
            slow = false;
            return true;
        } else {
            stage.lost(DISK_SLOW).add(1);
            if (!slow) {
                tell(Trouble.SLOW);
            }
            slow = true;
        }
        return false;
    }

    private void tell(Trouble trouble) {
        onTrouble.accept(trouble);
    }

    /** What follows was not done either. */
    private void givenUp(long number) {
        stage.lost(room.isFull() ? DISK_FULL : DISK_SLOW).add(1);
        next = Math.min(next, number);
    }

    private boolean isWritten(byte[] entry, long number, boolean more) {
        if (!room.isFor(entry.length)) {
            return false;
        }
        boolean dropped;
        synchronized (segments) {
            dropped = segments.beforeAppend(number, entry.length + ENTRY_OVERHEAD_BYTES);
        }
        if (dropped && !overflowing) {
            overflowing = true;
            tell(Trouble.FULL);
        }
        buffer.clear();
        buffer.writeLong(more ? number | EntryNumber.MORE : number);
        buffer.write(entry);
        try (DocumentContext document = appender.writingDocument()) {
            document.wire().bytes().write(buffer);
        }
        return more || isWhole(number + 1);
    }

    /** Those before it may be read. */
    private boolean isWhole(long number) {
        ended = number;
        return true;
    }

    /** Whether a process before this has appended that entry, and all that belongs to it. */
    boolean had(long number) {
        return number < opened && !torn.holds(number);
    }

    /** What is kept beside it under a name, from one process to the next; closed with it. */
    public OutboxNote note(String name) {
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

    /** What is to be done on its disk besides, in turn with entries; false where it is not kept. */
    boolean onDisk(long bytes, BooleanSupplier todo) {
        return disk.offer(bytes, todo, () -> {});
    }

    /**
     * Has the thread that touches its disk do that, whatever the disk is like. Any thread.
     *
     * @return false where that is busy with too much
     */
    public boolean onDiskThread(Runnable work) {
        return disk.offer(
                0,
                () -> {
                    work.run();
                    return true;
                },
                () -> {});
    }

    /** How many entries from that number on are still to be read. Any thread. */
    public long waiting(long from) {
        return next - from - torn.count(from, next);
    }

    /** Entries of a process before this that are still to be sent are offered anew. */
    public void offerAgain(long entries) {
        offered(entries);
    }

    /** By who appends and by who sends. */
    private synchronized void offered(long entries) {
        stage.offered().add(entries);
    }

    /** What comes before this number was sent and is not needed any more. */
    public void release(long number) {
        overflowing = false;
        synchronized (segments) {
            segments.release(number);
        }
    }

    /** Of what is in it, at most: a file counts as full once another follows. Any thread. */
    public long bytes() {
        return segments.bytes();
    }

    /** What {@link #bytes} never exceeds. */
    public long limitBytes() {
        return limitBytes;
    }

    public Stage stage() {
        return stage;
    }

    /** Waits until what was appended is there to be read, as long as the disk does anything. */
    void flush() throws InterruptedException {
        disk.flush();
    }

    /**
     * Nothing more is appended: what a disk that hangs, or is full, keeps from it is lost.
     * Idempotent.
     *
     * @return whether the disk has done all else
     */
    public boolean end() {
        if (!closed) {
            closed = true;
            answers = disk.end();
        }
        return answers;
    }

    /** What is in it stays. Where its disk hangs, its files are left as they are. Idempotent. */
    @Override
    public void close() {
        if (end() && !left) {
            left = true;
            notes.forEach(OutboxNote::close);
            appender.close();
            segments.close();
            unlock();
        }
    }
}
