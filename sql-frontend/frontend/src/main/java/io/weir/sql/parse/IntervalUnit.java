package io.weir.sql.parse;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Units of intervals with a fixed length. The grammar knows none below the second. */
public enum IntervalUnit {
    NANOSECOND(1L),
    MICROSECOND(1_000L),
    MILLISECOND(1_000_000L),
    SECOND(1_000_000_000L),
    MINUTE(60 * SECOND.ns),
    HOUR(60 * MINUTE.ns),
    DAY(24 * HOUR.ns),
    WEEK(7 * DAY.ns);

    private final long ns;

    IntervalUnit(long ns) {
        this.ns = ns;
    }

    /** Returns its length in nanoseconds. */
    public long ns() {
        return ns;
    }

    static List<String> names() {
        return Arrays.stream(values()).map(Enum::name).toList();
    }

    /** Returns the unit that a word names, in singular or plural. */
    static Optional<IntervalUnit> of(String word) {
        String upper = word.toUpperCase(Locale.ROOT);
        return Arrays.stream(values())
                .filter(unit -> upper.equals(unit.name()) || upper.equals(unit.name() + "S"))
                .findFirst();
    }
}
