package io.weir.cluster.outbox;

import java.util.Optional;
import java.util.function.LongSupplier;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.ExcerptTailer;
import net.openhft.chronicle.wire.DocumentContext;

/** Reads an outbox from any entry that is still there. One thread. */
public final class OutboxReader implements AutoCloseable {
    private final ExcerptTailer tailer;
    private final TornEntries torn;
    private final LongSupplier end;
    private Entry held;
    private long least;

    /**
     * @param end number after the last entry that may be read now
     */
    OutboxReader(ChronicleQueue queue, TornEntries torn, LongSupplier end) {
        this.torn = torn;
        this.end = end;
        tailer = queue.createTailer();
        tailer.singleThreadedCheckDisabled(true);
    }

    /**
     * An entry.
     *
     * @param number the one before it is less by 1, unless some were dropped in between
     */
    @SuppressWarnings("ArrayRecordComponent") // nobody compares them
    public record Entry(long number, byte[] bytes) {}

    /** Goes to the entry of this number, or to the first after it that is still there. */
    public void seek(long number) {
        tailer.toStart();
        least = number;
        held = null;
    }

    /** The next entry; empty when there is none now. */
    public Optional<Entry> next() {
        if (held == null) {
            held = read();
        }
        if (held == null || held.number() >= end.getAsLong()) {
            return Optional.empty();
        }
        Entry entry = held;
        held = null;
        return Optional.of(entry);
    }

    private Entry read() {
        while (true) {
            try (DocumentContext document = tailer.readingDocument()) {
                if (!document.isPresent()) {
                    return null;
                }
                Bytes<?> bytes = document.wire().bytes();
                long number = EntryNumber.of(bytes.readLong());
                if (number >= least && !torn.holds(number)) {
                    byte[] entry = new byte[(int) bytes.readRemaining()];
                    bytes.read(entry);
                    return new Entry(number, entry);
                }
            }
        }
    }

    @Override
    public void close() {
        tailer.close();
    }
}
