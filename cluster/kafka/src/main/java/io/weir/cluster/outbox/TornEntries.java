package io.weir.cluster.outbox;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.cluster.disk.WholeFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Entries whose group never got its last entry, because the writing process was killed. Nobody
 * reads them. The next process finds them, and stores them in a file for later ones.
 */
final class TornEntries {
    private static final String FILE = "outbox.torn";

    private record Range(long from, long to) {}

    private final List<Range> ranges = new ArrayList<>();
    private boolean saved = true;

    private TornEntries() {}

    static TornEntries found(Path directory, Segments.End end) throws IOException {
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
        if (end.openFrom() < end.next() && !torn.holds(end.next() - 1)) {
            torn.ranges.add(new Range(end.openFrom(), end.next()));
            torn.saved = false;
        }
        return torn;
    }

    /** Has the next process know. Before an entry follows them. */
    void save(Path directory) throws IOException {
        if (!saved) {
            StringBuilder lines = new StringBuilder();
            ranges.forEach(range -> lines.append(range.from() + " " + range.to() + "\n"));
            WholeFile.write(directory.resolve(FILE), lines.toString().getBytes(UTF_8));
            saved = true;
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

    /** Counts those from the first number on and before the second. */
    long count(long from, long to) {
        long count = 0;
        for (Range range : ranges) {
            count += Math.max(0, Math.min(to, range.to()) - Math.max(from, range.from()));
        }
        return count;
    }
}
