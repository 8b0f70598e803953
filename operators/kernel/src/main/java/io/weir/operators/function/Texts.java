package io.weir.operators.function;

import io.weir.operators.graph.DoubleText;
import java.time.Duration;
import java.time.LocalDate;
import java.util.Locale;

/**
 * Functions of texts, for kernels. Each has a value for all arguments, and takes time in proportion
 * to their length; LIKE in proportion to the product. A character is a code point. Stateless.
 */
public final class Texts {
    /** The most UTF-16 units of a text that {@code ||} makes. A block of rows has room for it. */
    public static final int MOST = 1 << 14;

    private static final long SECOND_NS = 1_000_000_000L;
    private static final long DAY_SECONDS = 86_400;

    private Texts() {}

    public static String upper(String text) {
        return text.codePoints()
                .map(Character::toUpperCase)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    public static String lower(String text) {
        return text.codePoints()
                .map(Character::toLowerCase)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    public static long length(String text) {
        return text.codePointCount(0, text.length());
    }

    /** Returns whether both together are too long for a text. */
    public static boolean areTooLong(String left, String right) {
        return left.length() + right.length() > MOST;
    }

    /** Returns the characters from the first on; 1 is the text's first. */
    public static String substring(String text, long first) {
        return between(text, first, length(text));
    }

    /** Returns so many characters from the first on, as far as they are there. */
    public static String substring(String text, long first, long count) {
        if (count <= 0) {
            return "";
        }
        long last = first + (count - 1);
        boolean isBeyond = first > 0 && last < 0;
        return between(text, first, isBeyond ? length(text) : last);
    }

    private static String between(String text, long first, long last) {
        long from = Math.max(1, first);
        long to = Math.min(last, length(text));
        if (to < from) {
            return "";
        }
        int start = text.offsetByCodePoints(0, (int) (from - 1));
        return text.substring(start, text.offsetByCodePoints(start, (int) (to - from + 1)));
    }

    /**
     * Returns the place of the part's first character; 1 is the text's first, 0: it is not there.
     */
    public static long position(String part, String text) {
        int at = text.indexOf(part);
        return at < 0 ? 0 : text.codePointCount(0, at) + 1L;
    }

    /** Returns the text without any of these characters before and behind it. */
    public static String trim(String text, String characters) {
        return trimEnd(trimStart(text, characters), characters);
    }

    public static String trimStart(String text, String characters) {
        int from = 0;
        while (from < text.length() && characters.indexOf(text.codePointAt(from)) >= 0) {
            from += Character.charCount(text.codePointAt(from));
        }
        return text.substring(from);
    }

    public static String trimEnd(String text, String characters) {
        int to = text.length();
        while (to > 0 && characters.indexOf(text.codePointBefore(to)) >= 0) {
            to -= Character.charCount(text.codePointBefore(to));
        }
        return text.substring(0, to);
    }

    /** LIKE without an escape. */
    public static boolean like(String text, String pattern) {
        return LikePattern.matches(text, pattern, LikePattern.NO_ESCAPE);
    }

    /** LIKE with the escape's first character. An empty one escapes nothing. */
    public static boolean like(String text, String pattern, String escape) {
        int character = escape.isEmpty() ? LikePattern.NO_ESCAPE : escape.codePointAt(0);
        return LikePattern.matches(text, pattern, character);
    }

    public static String of(boolean value) {
        return Boolean.toString(value);
    }

    public static String of(double value) {
        return DoubleText.format(value);
    }

    /** Returns a time as rows show it: ISO 8601 in UTC with nine digits of nanoseconds. */
    public static String ofTime(long ns) {
        long seconds = Math.floorDiv(ns, SECOND_NS);
        long inDay = Math.floorMod(seconds, DAY_SECONDS);
        return String.format(
                Locale.ROOT,
                "%sT%02d:%02d:%02d.%09dZ",
                LocalDate.ofEpochDay(Math.floorDiv(seconds, DAY_SECONDS)),
                inDay / 3600,
                inDay / 60 % 60,
                inDay % 60,
                Math.floorMod(ns, SECOND_NS));
    }

    public static String ofInterval(long ns) {
        return Duration.ofNanos(ns).toString();
    }
}
