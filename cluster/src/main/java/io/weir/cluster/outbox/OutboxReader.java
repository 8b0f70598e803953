package io.weir.cluster.outbox;

import java.util.Optional;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.ExcerptTailer;
import net.openhft.chronicle.wire.DocumentContext;

/** Reads an outbox from any entry that is still there. One thread. */
public final class OutboxReader implements AutoCloseable {
    private final ExcerptTailer tailer;
    private long least;

    OutboxReader(ChronicleQueue queue) {
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
    }

    /** The next entry; empty when there is none now. */
    public Optional<Entry> next() {
        while (true) {
            try (DocumentContext document = tailer.readingDocument()) {
                if (!document.isPresent()) {
                    return Optional.empty();
                }
                Bytes<?> bytes = document.wire().bytes();
                long number = bytes.readLong();
                if (number >= least) {
                    byte[] entry = new byte[(int) bytes.readRemaining()];
                    bytes.read(entry);
                    return Optional.of(new Entry(number, entry));
                }
            }
        }
    }

    @Override
    public void close() {
        tailer.close();
    }
}
