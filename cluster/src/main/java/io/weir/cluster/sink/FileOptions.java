package io.weir.cluster.sink;

import java.time.Duration;

/**
 * How files of rows are cut.
 *
 * @param format csv or json
 * @param mostBytes a file that has reached it is followed by a next one
 * @param longest so long after its first row, too
 * @param keep so many whole files of a query stay, the oldest go first; 0: all stay
 */
public record FileOptions(Format format, long mostBytes, Duration longest, int keep) {
    public static final FileOptions DEFAULT =
            new FileOptions(Format.JSON, 100L << 20, Duration.ofHours(1), 0);
}
