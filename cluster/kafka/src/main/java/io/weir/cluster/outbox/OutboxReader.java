package io.weir.cluster.outbox;

import io.weir.operators.time.Clock;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.ExcerptTailer;
import net.openhft.chronicle.wire.DocumentContext;

/** Reads an outbox from any existing entry. One thread. */
public final class OutboxReader implements AutoCloseable {
    private static final long RETRY_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long STUCK_NS = TimeUnit.SECONDS.toNanos(10);

    private final Segments segments;
    private final TornEntries torn;
    private final LongSupplier end;
    private final Clock clock;

    /** The queue of the tailer. */
    private ChronicleQueue queue;

    private ExcerptTailer tailer;
    private Entry held;
    private long least;

    /** The cycle of the file that is read. */
    private int cycle;

    private boolean stuck;
    private long stuckSinceNs;
    private boolean failed;
    private long failedNs;

    /**
     * @param end number after the last entry that may be read now
     * @param clock times how long the disk gives nothing
     */
    OutboxReader(Segments segments, TornEntries torn, LongSupplier end, Clock clock) {
        this.segments = segments;
        this.torn = torn;
        this.end = end;
        this.clock = clock;
    }

    /**
     * An entry.
     *
     * @param number the one before it is less by 1, unless some were removed in between
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Entry(long number, byte[] bytes) {}

    /** Goes to the entry of this number, or to the first existing one after it. */
    public void seek(long number) {
        queue = null;
        least = number;
        held = null;
    }

    /** The next entry; empty when there is none now, or none that the disk gives. */
    public Optional<Entry> next() {
        if (held == null) {
            held = read().orElse(null);
        }
        if (held == null || held.number() >= end.getAsLong()) {
            return Optional.empty();
        }
        Entry entry = held;
        held = null;
        return Optional.of(entry);
    }

    private Optional<Entry> read() {
        if (failed && clock.nanos() - failedNs < RETRY_NS) {
            return Optional.empty();
        }
        Optional<Entry> found = tryToRead();
        if (found.isPresent()) {
            least = found.get().number() + 1;
            stuck = false;
        } else if (segments.list().firstBehind(cycle) > 0) {
            isStuck();
        }
        return found;
    }

    private Optional<Entry> tryToRead() {
        try {
            Optional<Entry> found = segments.read(this::read);
            failed = false;
            return found;
        } catch (IOException e) {
            failed = true;
            failedNs = clock.nanos();
            queue = null;
            return Optional.empty();
        }
    }

    /**
     * A file that others follow has an end. If the disk does not give the rest of one for long, the
     * reader passes over it. The gap in the numbers shows that.
     */
    private void isStuck() {
        long nowNs = clock.nanos();
        stuckSinceNs = stuck ? stuckSinceNs : nowNs;
        stuck = true;
        if (nowNs - stuckSinceNs > STUCK_NS) {
            least = Math.max(least, segments.list().firstBehind(cycle));
            stuck = false;
            queue = null;
        }
    }

    private Optional<Entry> read(ChronicleQueue open) {
        if (open != queue) {
            begin(open);
        }
        while (true) {
            try (DocumentContext document = tailer.readingDocument()) {
                cycle = tailer.cycle();
                if (!document.isPresent()) {
                    return Optional.empty();
                }
                Bytes<?> bytes = document.wire().bytes();
                long number = EntryNumber.of(bytes.readLong());
                if (number >= least && !torn.holds(number)) {
                    byte[] entry = new byte[(int) bytes.readRemaining()];
                    bytes.read(entry);
                    return Optional.of(new Entry(number, entry));
                }
            }
        }
    }

    /** A queue that was opened anew has closed all readers of the one before. */
    private void begin(ChronicleQueue open) {
        closeTailer();
        tailer = open.createTailer();
        tailer.singleThreadedCheckDisabled(true);
        OptionalInt holding = segments.list().cycleOf(least);
        cycle = holding.orElse(0);
        if (holding.isEmpty() || !tailer.moveToIndex(Segments.index(cycle))) {
            tailer.toStart();
        }
        queue = open;
    }

    private void closeTailer() {
        if (tailer != null) {
            tailer.close();
            tailer = null;
        }
    }

    @Override
    public void close() {
        closeTailer();
    }
}
