package io.weir.bench.command;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads a JVM's {@code -Xlog:gc} lines: {@code … Pause Young (…) 57M->3M(217M) 2.1ms}. */
final class GcLog {
    private static final Pattern COLLECTION = Pattern.compile(" (\\d+)M->\\d+M\\(\\d+M\\)");

    private GcLog() {}

    /** The most that was in use before a collection; 0 without one. */
    static long mostBytes(List<String> lines) {
        long most = 0;
        for (String line : lines) {
            Matcher matcher = COLLECTION.matcher(line);
            if (matcher.find()) {
                most = Math.max(most, Long.parseLong(matcher.group(1)) << 20);
            }
        }
        return most;
    }
}
