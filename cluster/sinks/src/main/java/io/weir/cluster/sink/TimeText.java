package io.weir.cluster.sink;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.LocalDate;

/**
 * Writes times as ISO 8601 in UTC with nine digits of nanoseconds: {@code
 * 2026-11-20T23:40:01.000000000Z}. It caches the last day's text, because rows of a window share
 * it.
 */
public final class TimeText {
    private static final long SECOND_NS = 1_000_000_000L;
    private static final long DAY_SECONDS = 86_400;

    private long lastDay = Long.MIN_VALUE;
    private String lastDate = "";

    /** Returns the text of one time. The ends of time have no date. */
    public static String of(long ns) {
        if (ns == Long.MIN_VALUE || ns == Long.MAX_VALUE) {
            return ns < 0 ? "the beginning" : "the end";
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        TextOut out = new TextOut(bytes, 64);
        new TimeText().time(out, ns);
        out.flush();
        return bytes.toString(StandardCharsets.US_ASCII);
    }

    void time(TextOut out, long ns) {
        long seconds = Math.floorDiv(ns, SECOND_NS);
        long day = Math.floorDiv(seconds, DAY_SECONDS);
        long inDay = Math.floorMod(seconds, DAY_SECONDS);
        if (day != lastDay) {
            lastDay = day;
            lastDate = LocalDate.ofEpochDay(day).toString(); // years 1677 to 2262: four digits
        }
        out.put(lastDate);
        out.put('T');
        out.padded(inDay / 3600, 2);
        out.put(':');
        out.padded(inDay / 60 % 60, 2);
        out.put(':');
        out.padded(inDay % 60, 2);
        out.put('.');
        out.padded(Math.floorMod(ns, SECOND_NS), 9);
        out.put('Z');
    }

    /** An ISO 8601 duration: {@code PT1M30S}. */
    static void interval(TextOut out, long ns) {
        out.put(Duration.ofNanos(ns).toString());
    }
}
