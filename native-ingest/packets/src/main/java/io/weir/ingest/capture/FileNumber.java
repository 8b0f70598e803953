package io.weir.ingest.capture;

import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;

/**
 * The number of a file in a ring, as writers put it into its name: {@code name.pcap12} by tcpdump,
 * {@code name_00012_20261127051821.pcapng} by dumpcap.
 *
 * @param series the rest of the name
 */
record FileNumber(String series, long value) {
    private static final Pattern TCPDUMP = Pattern.compile("(.+\\.[A-Za-z]+)(\\d{1,9})");
    private static final Pattern DUMPCAP = Pattern.compile("(.+)_(\\d{5,9})_\\d{14}(\\.[a-z]+)?");

    /** A jump of more is a new beginning, and no gap. */
    private static final long MOST_BETWEEN = 1000;

    static Optional<FileNumber> of(Path file) {
        String name = file.getFileName().toString();
        Matcher dumpcap = DUMPCAP.matcher(name);
        Matcher tcpdump = TCPDUMP.matcher(name);
        Matcher found = dumpcap.matches() ? dumpcap : tcpdump;
        return found.matches()
                ? Optional.of(new FileNumber(found.group(1), Long.parseLong(found.group(2))))
                : Optional.empty();
    }

    /** Returns the numbers between two files of one series; empty if that cannot be known. */
    static Optional<LongStream> between(Path one, Path later) {
        Optional<FileNumber> from = of(one);
        Optional<FileNumber> to = of(later);
        boolean known =
                from.isPresent()
                        && to.isPresent()
                        && from.get().series.equals(to.get().series)
                        && to.get().value - from.get().value > 1
                        && to.get().value - from.get().value <= MOST_BETWEEN;
        return known
                ? Optional.of(LongStream.range(from.get().value + 1, to.get().value))
                : Optional.empty();
    }
}
