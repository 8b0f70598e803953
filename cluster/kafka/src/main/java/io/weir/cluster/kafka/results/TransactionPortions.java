package io.weir.cluster.kafka.results;

import io.weir.cluster.outbox.OutboxReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Divides the entries of an outbox into portions, one for each transaction. A portion ends where
 * entries that belong together end ({@link OutboxEntries#isEnd}). The sender's thread.
 */
final class TransactionPortions {
    private static final int MOST_ROWS = 1_000;
    private static final int MOST_BYTES = 512 << 10;

    /** The most bytes that wait for the end of their group. A larger group is torn. */
    private static final int MOST_UNENDED_BYTES = 64 << 20;

    private final OutboxReader reader;
    private final OutboxEntries entries;
    private final List<OutboxReader.Entry> read = new ArrayList<>();
    private int readBytes;
    private int mostRows = MOST_ROWS;

    TransactionPortions(OutboxReader reader, OutboxEntries entries) {
        this.reader = reader;
        this.entries = entries;
    }

    /** Sets the number of the next portion's first entry. */
    void seek(long number) {
        reader.seek(number);
        read.clear();
        readBytes = 0;
    }

    /** Notes that a portion was refused. The next attempts take small steps first. */
    void narrow() {
        mostRows = 1;
    }

    void widen() {
        mostRows = Math.min(2 * mostRows, MOST_ROWS);
    }

    /** Returns the entries up to the last end of a group. The rest stays read. */
    List<OutboxReader.Entry> take() {
        int ended = 0;
        while (!isEnough(ended)) {
            Optional<OutboxReader.Entry> entry = reader.next();
            if (entry.isEmpty()) {
                break;
            }
            read.add(entry.get());
            readBytes += entry.get().bytes().length;
            ended = entries.isEnd(entry.get()) ? read.size() : ended;
        }
        ended = readBytes > MOST_UNENDED_BYTES ? read.size() : ended;
        List<OutboxReader.Entry> whole = List.copyOf(read.subList(0, ended));
        read.subList(0, ended).clear();
        readBytes = read.stream().mapToInt(entry -> entry.bytes().length).sum();
        return whole;
    }

    private boolean isEnough(int ended) {
        return readBytes > MOST_UNENDED_BYTES
                || ended > 0 && (ended >= mostRows || readBytes >= MOST_BYTES);
    }
}
