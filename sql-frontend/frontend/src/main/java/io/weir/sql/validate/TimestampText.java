package io.weir.sql.validate;

import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoField;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads times as text, UTC: a date, or a date and a time with up to nine decimals. */
final class TimestampText {
    private static final Pattern FORM =
            Pattern.compile(
                    "(\\d{4}-\\d\\d-\\d\\d)(?:[ T](\\d\\d:\\d\\d(?::\\d\\d(?:\\.\\d{1,9})?)?)Z?)?");

    private TimestampText() {}

    /** Returns nanoseconds since the epoch; empty when malformed, or beyond 2262. */
    static Optional<Long> parse(String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            return Optional.empty();
        }
        String time = form.group(2) == null ? "00:00" : form.group(2);
        try {
            LocalDateTime at = LocalDateTime.parse(form.group(1) + "T" + time);
            long seconds = Math.multiplyExact(at.toEpochSecond(ZoneOffset.UTC), 1_000_000_000L);
            return Optional.of(Math.addExact(seconds, at.getLong(ChronoField.NANO_OF_SECOND)));
        } catch (DateTimeException | ArithmeticException e) {
            return Optional.empty();
        }
    }
}
