package io.weir.bench.command;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the heap log of a JVM with the serial collector. Before each collection it has {@code Pause
 * Young (…) 57M->3M(217M)}, and at its exit {@code … generation total …K, used 29130K}.
 */
final class GcLog {
    /** The option that makes the JVM log this; a file name follows. */
    static final String OPTION = "-Xlog:gc,gc+heap+exit:file=";

    private static final Pattern COLLECTION = Pattern.compile(" (\\d+)M->\\d+M\\(\\d+M\\)");
    private static final Pattern AT_EXIT = Pattern.compile(" generation .* used (\\d+)K");

    private GcLog() {}

    /** Returns the most that was in use at any of these times. */
    static long mostBytes(List<String> lines) {
        long most = 0;
        long atExit = 0;
        for (String line : lines) {
            Matcher collection = COLLECTION.matcher(line);
            Matcher generation = AT_EXIT.matcher(line);
            if (collection.find()) {
                most = Math.max(most, Long.parseLong(collection.group(1)) << 20);
            } else if (generation.find()) {
                atExit += Long.parseLong(generation.group(1)) << 10;
            }
        }
        return Math.max(most, atExit);
    }
}
