package io.weir.cluster.outbox;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.stream.Stream;
import net.openhft.chronicle.core.time.TimeProvider;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.ExcerptTailer;
import net.openhft.chronicle.queue.RollCycles;
import net.openhft.chronicle.queue.TailerDirection;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueueBuilder;
import net.openhft.chronicle.wire.DocumentContext;

/**
 * The files of an outbox. Chronicle Queue begins a new file by the clock; here the clock is one
 * that moves on when a file is full, so that the bound is one of bytes. One thread at a time;
 * {@link #bytes} is for any.
 */
final class Segments implements AutoCloseable {
    private static final int MOST = 8;
    private static final String SUFFIX = ".cq4";
    private static final RollCycles CYCLE = RollCycles.FIVE_MINUTELY;

    /** What is mapped at once. An entry must not be longer than a quarter of it. */
    private static final int BLOCK_BYTES = 4 << 20;

    private final Path directory;
    private final Clock clock = new Clock();
    private final ChronicleQueue queue;
    private final long segmentBytes;

    /** Number of the first entry of each file, oldest first. */
    private final Deque<Long> firsts = new ArrayDeque<>();

    private long bytes;
    private volatile long allBytes;

    /** What comes before was sent: a file may hold some of that, and of what was not. */
    private long released;

    private static final class Clock implements TimeProvider {
        private volatile int cycle;

        /** By one thread at a time. */
        void next() {
            int now = cycle;
            cycle = now + 1;
        }

        @Override
        public long currentTimeMillis() {
            return (long) cycle * CYCLE.lengthInMillis();
        }
    }

    Segments(Path directory, long maxBytes) throws IOException {
        this.directory = directory;
        this.segmentBytes = maxBytes / MOST;
        this.queue =
                SingleChronicleQueueBuilder.binary(directory)
                        .rollCycle(CYCLE)
                        .timeProvider(clock)
                        .blockSize(BLOCK_BYTES)
                        .build();
        if (files().isEmpty()) {
            bytes = segmentBytes;
            return;
        }
        clock.cycle = CYCLE.toCycle(queue.lastIndex());
        bytes = segmentBytes; // the files of a process before this are closed
        try (ExcerptTailer tailer = queue.createTailer()) {
            for (int cycle = CYCLE.toCycle(queue.firstIndex()); cycle <= clock.cycle; cycle++) {
                if (tailer.moveToIndex(CYCLE.toIndex(cycle, 0))) {
                    firsts.add(number(tailer));
                }
            }
        }
        sum();
    }

    private static long number(ExcerptTailer tailer) {
        try (DocumentContext document = tailer.readingDocument()) {
            return document.isPresent() ? EntryNumber.of(document.wire().bytes().readLong()) : -1;
        }
    }

    ChronicleQueue queue() {
        return queue;
    }

    long bytes() {
        return allBytes;
    }

    private void sum() {
        allBytes = firsts.isEmpty() ? 0 : (firsts.size() - 1) * segmentBytes + bytes;
    }

    /** Room that must be on the disk. */
    long reserveBytes() {
        return 2 * BLOCK_BYTES + segmentBytes;
    }

    /** Of the newest entry; -1 when there is none. */
    long lastNumber() {
        try (ExcerptTailer tailer = queue.createTailer()) {
            tailer.direction(TailerDirection.BACKWARD).toEnd();
            return number(tailer);
        }
    }

    /**
     * Begins a new file if it is time, and lets the oldest go if there are too many.
     *
     * @return whether entries went that were not released
     */
    boolean beforeAppend(long number, int entryBytes) {
        boolean dropped = false;
        if (bytes + entryBytes > segmentBytes) {
            if (!firsts.isEmpty()) {
                clock.next();
            }
            firsts.add(number);
            bytes = 0;
            while (firsts.size() > MOST) {
                dropped |= second() > released;
                removeOldest();
            }
        }
        bytes += entryBytes;
        sum();
        return dropped;
    }

    void release(long number) {
        released = Math.max(released, number);
        while (firsts.size() > 1 && second() <= number) {
            removeOldest();
        }
        sum();
    }

    private long second() {
        var all = firsts.iterator();
        all.next();
        return all.next();
    }

    private void removeOldest() {
        firsts.remove();
        try {
            Files.delete(files().get(0));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        queue.refreshDirectoryListing();
    }

    /** Their names are times, so their order is that of the entries. */
    private List<Path> files() throws IOException {
        try (Stream<Path> all = Files.list(directory)) {
            return all.filter(file -> file.toString().endsWith(SUFFIX)).sorted().toList();
        }
    }

    @Override
    public void close() {
        queue.close();
    }
}
