package io.weir.cluster.outbox;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.ExcerptTailer;
import net.openhft.chronicle.queue.TailerDirection;
import net.openhft.chronicle.wire.DocumentContext;

/**
 * Entries that belong together, the last of which never came: the process that wrote them was
 * killed. Nobody reads them. They are found by the next process, and kept in a file for those after
 * it.
 */
final class TornEntries {
    private static final String FILE = "outbox.torn";

    private record Range(long from, long to) {}

    private final List<Range> ranges = new ArrayList<>();

    private TornEntries() {}

    /**
     * @param opened number of the next entry
     */
    static TornEntries found(Path directory, ChronicleQueue queue, long opened) throws IOException {
        TornEntries torn = new TornEntries();
        Path file = directory.resolve(FILE);
        if (Files.exists(file)) {
            for (String line : Files.readAllLines(file)) {
                String[] range = line.split(" ");
                if (range.length == 2) {
                    torn.ranges.add(new Range(Long.parseLong(range[0]), Long.parseLong(range[1])));
                }
            }
        }
        long from = opened == 0 ? 0 : begin(queue, opened);
        if (from < opened && !torn.holds(opened - 1)) {
            torn.ranges.add(new Range(from, opened));
            Files.writeString(
                    file,
                    from + " " + opened + "\n",
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        }
        return torn;
    }

    /** Number of the first of those at the end that are not whole. */
    private static long begin(ChronicleQueue queue, long opened) {
        long begin = opened;
        try (ExcerptTailer tailer = queue.createTailer()) {
            tailer.direction(TailerDirection.BACKWARD).toEnd();
            while (true) {
                try (DocumentContext document = tailer.readingDocument()) {
                    if (!document.isPresent()) {
                        return begin;
                    }
                    long word = document.wire().bytes().readLong();
                    if (!EntryNumber.hasMore(word)) {
                        return begin;
                    }
                    begin = EntryNumber.of(word);
                }
            }
        }
    }

    boolean holds(long number) {
        for (Range range : ranges) {
            if (number >= range.from() && number < range.to()) {
                return true;
            }
        }
        return false;
    }

    /** How many have a number from the first on and before the second. */
    long count(long from, long to) {
        long count = 0;
        for (Range range : ranges) {
            count += Math.max(0, Math.min(to, range.to()) - Math.max(from, range.from()));
        }
        return count;
    }
}
