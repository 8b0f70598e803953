package io.weir.cluster.sink;

import java.time.Duration;

/**
 * The rules for cutting files of rows.
 *
 * @param format csv or json
 * @param mostBytes a file that has reached it is followed by a next one
 * @param longest so long after its first row, too
 * @param keep the number of whole files of a query that stay, the oldest go first; 0: all stay
 */
public record FileOptions(Format format, long mostBytes, Duration longest, int keep) {
    public static final FileOptions DEFAULT =
            new FileOptions(Format.JSON, 100L << 20, Duration.ofHours(1), 0);
}
