package io.weir.cluster.outbox;

import io.weir.cluster.disk.DiskFault;
import io.weir.cluster.disk.DiskRoom;
import io.weir.cluster.disk.DiskWork;
import io.weir.cluster.disk.Patience;
import io.weir.operators.account.Stage;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.time.Clock;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * A queue of numbered entries on a worker's disk, so that Kafka may be away. It is bounded: beyond
 * the bound the oldest entries go, in whole segments. A reader sees that by a gap in the numbers.
 * The queue survives the process. It does not survive the machine, since pages are not forced to
 * the disk. One process has it at a time. A frozen process keeps it, so its later appends are in
 * nobody else's files.
 *
 * <p>One thread at a time appends, and another reads. Neither waits for a write: a thread of the
 * outbox' own writes to the disk ({@link DiskWork}). If that thread is slow, or hangs, a part of
 * the bound waits in memory. Entries beyond that are lost.
 */
public final class Outbox implements AutoCloseable {
    /** The least bound. */
    public static final long LEAST_BYTES = 8L << 20;

    /** The longest entry: a segment of the least outbox has room for one. */
    public static final int MOST_ENTRY_BYTES = 1000 << 10;

    /** This part of the bound (one in so many) may wait for the disk. */
    private static final int IN_MEMORY = 4;

    private static final String DISK_SLOW = "disk_slow";

    private final Path directory;
    private final Clock clock;
    private final OutboxHome home;
    private final Segments segments;
    private final Stage stage;
    private final long limitBytes;
    private final long opened;
    private final TornEntries torn;
    private final List<OutboxNote> notes = new ArrayList<>();
    private final DiskRoom room;
    private final DiskWork disk;
    private volatile long next;

    /** True while entries wait for the last one that belongs to them. */
    private boolean open;

    /** Number after the last entry that may be read. */
    private volatile long ended;

    private final AtomicLong appendedBytes = new AtomicLong();

    private volatile Consumer<OutboxTrouble> onTrouble = trouble -> {};
    private volatile boolean overflowing;
    private boolean slow;
    private volatile boolean closed;

    /** At the end: true if the disk has done all its work. */
    private boolean answers;

    private boolean left;

    /**
     * Opens the outbox of a directory, or makes it. If its disk is full or must not be written to,
     * entries are lost until that is over.
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
        this.clock = patience.clock();
        this.stage = stage;
        this.limitBytes = maxBytes;
        this.home = new OutboxHome(directory);
        this.segments = new Segments(directory, maxBytes);
        Optional<IOException> unmade = home.tryToMake();
        try {
            unmade = opened(unmade);
            Segments.End end = segments.end();
            this.opened = end.next();
            this.torn = TornEntries.found(directory, end);
        } catch (IOException e) {
            segments.close();
            home.close();
            throw OutboxHome.impossible(directory, e);
        }
        this.next = opened;
        this.ended = opened;
        this.room =
                new DiskRoom(directory, patience.clock(), fault -> tell(OutboxTrouble.of(fault)));
        this.disk =
                new DiskWork(
                        "weir-disk " + directory,
                        maxBytes / IN_MEMORY,
                        patience,
                        () -> room.fault().isEmpty());
        unmade.ifPresent(room::failed);
        begin();
    }

    /** Its files are read where they cannot be written now; returns why that is. */
    private Optional<IOException> opened(Optional<IOException> unmade) throws IOException {
        if (unmade.isEmpty()) {
            try {
                segments.openToWrite();
                return unmade;
            } catch (IOException e) {
                segments.openToRead();
                return Optional.of(e);
            }
        }
        segments.openToRead();
        return unmade;
    }

    /** Before its first entry: at once, or else when the disk lets it. */
    private void begin() {
        if (!isBegun()) {
            disk.offer(0, this::isBegun, () -> {});
        }
    }

    private boolean isBegun() {
        return room.isDone(
                () -> {
                    home.make();
                    segments.openToWrite();
                    torn.save(directory);
                });
    }

    /**
     * Sets an action for when entries begin to be lost, once until that is over: by the appending
     * thread, or the disk's. Before the first entry.
     */
    public void onTrouble(Consumer<OutboxTrouble> action) {
        onTrouble = action;
        room.fault().ifPresent(fault -> tell(OutboxTrouble.of(room.fault())));
    }

    /** The reason why its disk takes nothing now. Any thread. */
    public Optional<DiskFault> fault() {
        return room.fault();
    }

    /** The system's words for that. Any thread. */
    public String diskWords() {
        return room.words();
    }

    /** The name of these files. A new directory is another outbox, whose numbers begin at 0. */
    public String id() {
        return home.id();
    }

    /** Returns the number of the first entry of this process. Earlier ones belong to others. */
    public long opened() {
        return opened;
    }

    /** Returns the number of the next entry. Any thread. */
    public long next() {
        return next;
    }

    /** Adds an entry that stands alone. If it cannot be stored, it is counted as lost. */
    public void append(byte[] entry) {
        append(entry, false);
    }

    /**
     * Adds an entry. If it cannot be stored, it is counted as lost, and has no number.
     *
     * @param more whether the next one belongs to it: readers see neither before the last of them,
     *     and never if the process ends in between
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

    /** Returns the bytes of all entries that were offered in this process. Any thread. */
    public long appendedBytes() {
        return appendedBytes.get();
    }

    private boolean isKept(byte[] entry, long number, boolean more) {
        if (closed) {
            stage.lost("outbox_closed").add(1);
        } else if (entry.length > MOST_ENTRY_BYTES) {
            stage.lost("row_too_large").add(1);
        } else if (room.fault().isEmpty()
                && disk.offer(
                        entry.length,
                        () -> isWritten(entry, number, more),
                        () -> givenUp(number))) {
            slow = false;
            return true;
        } else {
            lost();
        }
        return false;
    }

    private void lost() {
        Optional<DiskFault> fault = room.fault();
        stage.lost(fault.map(DiskFault::reason).orElse(DISK_SLOW)).add(1);
        if (fault.isEmpty() && !slow) {
            tell(OutboxTrouble.SLOW);
        }
        slow |= fault.isEmpty();
    }

    private void tell(OutboxTrouble trouble) {
        onTrouble.accept(trouble);
    }

    /** Later entries were not written either. */
    private void givenUp(long number) {
        stage.lost(room.fault().map(DiskFault::reason).orElse(DISK_SLOW)).add(1);
        next = Math.min(next, number);
    }

    private boolean isWritten(byte[] entry, long number, boolean more) {
        if (!room.isDone(
                () -> {
                    home.awaitDisk();
                    segments.append(number, more, entry);
                })) {
            return false;
        }
        if (segments.hasDropped() && !overflowing) {
            overflowing = true;
            tell(OutboxTrouble.FULL);
        }
        return more || isWhole(number + 1);
    }

    /** Entries before it may be read. */
    private boolean isWhole(long number) {
        ended = number;
        return true;
    }

    /** True if an earlier process has appended that entry, and all that belong to it. */
    boolean had(long number) {
        return number < opened && !torn.holds(number);
    }

    /**
     * Opens a note beside it, which the next process finds by its name. It is closed with the
     * outbox.
     */
    public OutboxNote note(String name) {
        OutboxNote note = new OutboxNote(directory, name, this);
        if (room.fault().isPresent() || !note.isMade()) {
            disk.offer(0, note::isMade, () -> {});
        }
        notes.add(note);
        return note;
    }

    /** Makes a reader of its own; one thread. */
    public OutboxReader reader() {
        return new OutboxReader(segments, torn, () -> ended, clock);
    }

    /**
     * Counts the entries from the first number on, and before the second, that are never read. A
     * process was killed before it appended the last of those that belong together.
     */
    public long cutOff(long from, long to) {
        return torn.count(from, to);
    }

    /** Makes a call on its disk. The disk's thread, or any before the first entry. */
    boolean isDone(DiskRoom.Call call) {
        return room.isDone(call);
    }

    /** Hands over other work on its disk, in turn with entries; false if it is not kept. */
    boolean onDisk(long bytes, BooleanSupplier todo) {
        return room.fault().isEmpty() && disk.offer(bytes, todo, () -> {});
    }

    /**
     * Runs the work on the thread that touches its disk, whatever the disk's state. Any thread.
     *
     * @return false if that thread has too much to do
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

    /** Has its disk do that, in turn with entries, once it can. The appending thread. */
    public void onceWritable(DiskRoom.Call call) {
        disk.offer(0, () -> room.isDone(call), () -> {});
    }

    /** Counts the entries from that number on that are still to be read. Any thread. */
    public long waiting(long from) {
        return next - from - torn.count(from, next);
    }

    /** Offers the unsent entries of an earlier process again. */
    public void offerAgain(long entries) {
        offered(entries);
    }

    /** The appending thread and the sender call it. */
    private synchronized void offered(long entries) {
        stage.offered().add(entries);
    }

    /** Entries before this number were sent, and are not needed any more. */
    public void release(long number) {
        overflowing = false;
        segments.release(number);
    }

    /** An upper bound of the bytes in it. Any thread. */
    public long bytes() {
        return segments.bytes();
    }

    /** The bound of {@link #bytes}. */
    public long limitBytes() {
        return limitBytes;
    }

    public Stage stage() {
        return stage;
    }

    /** Waits until all appended entries can be read, as long as the disk makes progress. */
    void flush() throws InterruptedException {
        disk.flush();
    }

    /**
     * Ends appending. Entries that a hanging, or full, disk does not take are lost. Idempotent.
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

    /** Its entries stay on the disk. If the disk hangs, the files are left open. Idempotent. */
    @Override
    public void close() {
        if (end() && !left) {
            left = true;
            notes.forEach(OutboxNote::close);
            segments.close();
            home.close();
        }
    }
}
