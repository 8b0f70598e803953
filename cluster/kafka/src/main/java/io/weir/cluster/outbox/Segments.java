package io.weir.cluster.outbox;

import io.weir.cluster.disk.BackedFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Function;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.core.time.TimeProvider;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.queue.ExcerptTailer;
import net.openhft.chronicle.queue.RollCycles;
import net.openhft.chronicle.queue.TailerDirection;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueueBuilder;
import net.openhft.chronicle.wire.DocumentContext;

/**
 * The entries of an outbox in a Chronicle Queue. Chronicle begins a new file by the clock. This
 * clock moves on when a file is full, so the bound is one of bytes. Before each entry the disk
 * gives what Chronicle will touch ({@link CycleFiles}), so a disk without room is an exception.
 * After an entry that failed within Chronicle the queue is opened anew.
 *
 * <p>The disk's thread opens and appends; one other reads and releases; {@link #bytes} is for any.
 */
final class Segments implements AutoCloseable {
    private static final int ENTRY_OVERHEAD_BYTES = 16;
    private static final RollCycles CYCLE = RollCycles.FIVE_MINUTELY;

    /** Chronicle maps so much at once. An entry must not be longer than a quarter of it. */
    private static final int BLOCK_BYTES = 4 << 20;

    /** The disk is asked for so much at once. */
    private static final int STEP_BYTES = 64 << 10;

    /** Nobody else writes: who waits for another's header waits for one that was killed. */
    private static final long HEADER_MS = 1_000;

    private final Path directory;
    private final CycleFiles files;
    private final SegmentList all;
    private final Bytes<?> buffer = Bytes.allocateElasticOnHeap();

    /** Held to open or close the queue: then nobody reads a page that is no longer mapped. */
    private final ReadWriteLock opening = new ReentrantReadWriteLock();

    private ChronicleQueue queue;

    /** The fields from here on belong to the disk's thread. */
    private final Clock clock = new Clock();

    private ExcerptAppender appender;
    private boolean broken;
    private BackedFile made;
    private BackedFile file;
    private long positionBytes;

    private static final class Clock implements TimeProvider {
        private volatile int cycle = -1;

        @Override
        public long currentTimeMillis() {
            return (long) Math.max(0, cycle) * CYCLE.lengthInMillis();
        }
    }

    Segments(Path directory, long maxBytes) {
        this.directory = directory;
        this.files = new CycleFiles(directory, CYCLE);
        this.all = new SegmentList(files, () -> called(this::isListed), maxBytes);
    }

    /** Has what is there be read, where nothing can be written now. */
    void openToRead() throws IOException {
        open(true);
    }

    /** Has entries be written, too. If it throws, the next call tries again. */
    void openToWrite() throws IOException {
        if (appender == null || broken) {
            open(false);
        }
    }

    private void open(boolean readOnly) throws IOException {
        opening.writeLock().lock();
        try {
            closeAll();
            if (!readOnly) {
                files.mend();
            }
            List<Integer> cycles = files.cycles();
            if (!readOnly || !cycles.isEmpty()) {
                queue = called(() -> built(readOnly));
                find(cycles, readOnly);
            }
            if (!readOnly) {
                appender = called(queue::createAppender);
                appender.singleThreadedCheckDisabled(true);
                broken = false;
            }
        } catch (IOException e) {
            closeAll();
            throw e;
        } finally {
            opening.writeLock().unlock();
        }
    }

    private ChronicleQueue built(boolean readOnly) {
        return SingleChronicleQueueBuilder.binary(directory)
                .rollCycle(CYCLE)
                .timeProvider(clock)
                .blockSize(BLOCK_BYTES)
                .timeoutMS(HEADER_MS)
                .readOnly(readOnly)
                .build();
    }

    /** A process may have been killed before the first entry of a file. */
    private void find(List<Integer> cycles, boolean readOnly) throws IOException {
        all.clear();
        for (int cycle : cycles) {
            OptionalLong first = called(() -> first(cycle));
            if (first.isPresent()) {
                all.found(cycle, first.getAsLong());
            } else if (!readOnly) {
                files.remove(cycle);
            }
            clock.cycle = Math.max(clock.cycle, cycle);
        }
        if (!readOnly) {
            called(this::isListed);
        }
    }

    private OptionalLong first(int cycle) {
        try (ExcerptTailer tailer = queue.createTailer()) {
            return tailer.moveToIndex(index(cycle))
                    ? word(tailer).stream().map(EntryNumber::of).findFirst()
                    : OptionalLong.empty();
        }
    }

    private static OptionalLong word(ExcerptTailer tailer) {
        try (DocumentContext document = tailer.readingDocument()) {
            return document.isPresent()
                    ? OptionalLong.of(document.wire().bytes().readLong())
                    : OptionalLong.empty();
        }
    }

    /** Work of Chronicle's. */
    @FunctionalInterface
    private interface Work<T> {
        T run();
    }

    /** A page that the disk does not have is an {@code InternalError}. */
    private static <T> T called(Work<T> work) throws IOException {
        try {
            return work.run();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        } catch (RuntimeException | InternalError e) {
            throw e.getCause() instanceof IOException known ? known : new IOException(e);
        }
    }

    /**
     * The end that earlier processes have left, before the first append.
     *
     * @param next the number after the last entry
     * @param openFrom the first number of the entries at the end that wait for others
     */
    record End(long next, long openFrom) {}

    End end() throws IOException {
        return all.isEmpty() ? new End(0, 0) : called(() -> end(all.newestCycle()));
    }

    /** If nothing can be written now, a file without entries may follow the one of this cycle. */
    private End end(int cycle) {
        try (ExcerptTailer tailer = queue.createTailer()) {
            long last = index(cycle) + tailer.excerptsInCycle(cycle) - 1;
            if (!tailer.direction(TailerDirection.BACKWARD).moveToIndex(last)) {
                throw new IllegalStateException("the last entry cannot be read");
            }
            OptionalLong word = word(tailer);
            long next = word.isPresent() ? EntryNumber.of(word.getAsLong()) + 1 : 0;
            long openFrom = next;
            while (word.isPresent() && EntryNumber.hasMore(word.getAsLong())) {
                openFrom = EntryNumber.of(word.getAsLong());
                word = word(tailer);
            }
            return new End(next, openFrom);
        }
    }

    /**
     * Writes an entry behind the others; the oldest file goes where there are too many. If it
     * throws, it may be called again. If the entry is there twice then, readers pass over the
     * second.
     */
    void append(long number, boolean more, byte[] entry) throws IOException {
        openToWrite();
        int size = entry.length + ENTRY_OVERHEAD_BYTES;
        if (file == null || !all.hasRoom(size)) {
            begin(number, size);
        }
        back(file, positionBytes + size + CycleFiles.SLACK_BYTES);
        broken = true; // until it is written, whatever comes to pass
        positionBytes = called(() -> written(number, more, entry));
        broken = false;
        all.added(size);
    }

    private static void back(BackedFile file, long leastBytes) throws IOException {
        if (file.backedBytes() < leastBytes) {
            file.back((leastBytes + STEP_BYTES - 1) / STEP_BYTES * STEP_BYTES);
        }
    }

    /**
     * Returns where it ends. A document that fails half-way is not closed: that would end the
     * entry.
     */
    private long written(long number, boolean more, byte[] entry) {
        buffer.clear();
        buffer.writeLong(EntryNumber.word(number, more));
        buffer.write(entry);
        DocumentContext document = appender.writingDocument();
        Bytes<?> bytes = document.wire().bytes();
        bytes.write(buffer);
        long end = bytes.writePosition();
        document.close();
        return end;
    }

    /** The first entry follows at once: its bytes are there, too. */
    private void begin(long number, int size) throws IOException {
        all.makeRoom();
        int cycle = clock.cycle + 1;
        if (made == null) {
            made = files.make(cycle);
        }
        back(made, size + CycleFiles.SLACK_BYTES);
        files.show(cycle);
        clock.cycle = cycle;
        all.begun(cycle, number);
        positionBytes = 0;
        BackedFile before = file;
        file = made;
        made = null;
        close(before);
    }

    /** Returns whether entries that were not sent went since the last call. The disk's thread. */
    boolean hasDropped() {
        return all.hasDropped();
    }

    /** Entries before this number were sent. A file that cannot be removed now is later. */
    void release(long number) {
        opening.readLock().lock();
        try {
            all.release(number);
        } catch (IOException e) {
            return;
        } finally {
            opening.readLock().unlock();
        }
    }

    private boolean isListed() {
        queue.refreshDirectoryListing();
        return true;
    }

    /** An upper bound of all entries' bytes. */
    long bytes() {
        return all.bytes();
    }

    /**
     * Has a reader use the queue that is open now.
     *
     * @return empty where none is open, or there is nothing
     * @throws IOException where the disk does not give it
     */
    <T> Optional<T> read(Function<ChronicleQueue, Optional<T>> reader) throws IOException {
        opening.readLock().lock();
        try {
            return queue == null ? Optional.empty() : called(() -> reader.apply(queue));
        } finally {
            opening.readLock().unlock();
        }
    }

    /** The files, in order. */
    SegmentList list() {
        return all;
    }

    /** Chronicle's index of a file's first entry. */
    static long index(int cycle) {
        return CYCLE.toIndex(cycle, 0);
    }

    private static void close(BackedFile old) throws IOException {
        if (old != null) {
            old.close();
        }
    }

    /** The queue's readers and appenders go with it. */
    private void closeAll() throws IOException {
        ChronicleQueue old = queue;
        BackedFile first = file;
        BackedFile second = made;
        queue = null;
        appender = null;
        file = null;
        made = null;
        if (old != null) {
            called(() -> isClosed(old));
        }
        close(first);
        close(second);
    }

    private static boolean isClosed(ChronicleQueue old) {
        old.close();
        return true;
    }

    @Override
    public void close() {
        opening.writeLock().lock();
        try {
            closeAll();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            opening.writeLock().unlock();
        }
    }
}
