package io.weir.operators.function;

import java.util.List;

/** Days, months and years of times in UTC, without objects: generated code calls it per packet. */
public final class Calendar {
    private static final long SECOND_NS = 1_000_000_000L;
    private static final long MINUTE_NS = 60 * SECOND_NS;
    private static final long HOUR_NS = 60 * MINUTE_NS;
    private static final long DAY_NS = 24 * HOUR_NS;
    private static final long MILLISECOND_NS = 1_000_000;
    private static final long MICROSECOND_NS = 1_000;

    /** The weekday of 1970-01-01, a Thursday, in days after a Monday. */
    private static final long DAYS_AFTER_MONDAY = 3;

    private static final Unit[] UNITS = Unit.values();

    private Calendar() {}

    /** A unit of time. */
    public enum Unit {
        YEAR,
        QUARTER,
        MONTH,
        /** From Monday on; its number is ISO 8601's. */
        WEEK,
        DAY,
        HOUR,
        MINUTE,
        SECOND,
        /** It counts from the start of the minute, as in DuckDB and PostgreSQL. */
        MILLISECOND,
        MICROSECOND,
        NANOSECOND,
        /** Day of the week: 0 is Sunday. */
        DOW,
        /** Day of the week: 1 is Monday, 7 is Sunday. */
        ISODOW,
        /** Day of the year, from 1. */
        DOY,
        /** Seconds since 1970. */
        EPOCH;

        /** True if a time can be cut to this unit. */
        public boolean hasStart() {
            return compareTo(NANOSECOND) < 0;
        }
    }

    /** Returns the number that stands for a unit in code: its place among all of them. */
    public static long number(Unit unit) {
        return List.of(UNITS).indexOf(unit);
    }

    /**
     * Returns the time at which its unit began.
     *
     * @param number of the unit
     */
    public static long start(long ns, long number) {
        return switch (UNITS[(int) number]) {
            case YEAR -> monthStart(ns, 12);
            case QUARTER -> monthStart(ns, 3);
            case MONTH -> monthStart(ns, 1);
            case WEEK -> ns - Math.floorMod(ns, DAY_NS) - weekday(ns) * DAY_NS;
            case DAY -> ns - Math.floorMod(ns, DAY_NS);
            case HOUR -> ns - Math.floorMod(ns, HOUR_NS);
            case MINUTE -> ns - Math.floorMod(ns, MINUTE_NS);
            case SECOND -> ns - Math.floorMod(ns, SECOND_NS);
            case MILLISECOND -> ns - Math.floorMod(ns, MILLISECOND_NS);
            case MICROSECOND -> ns - Math.floorMod(ns, MICROSECOND_NS);
            default -> ns;
        };
    }

    /**
     * Returns a part of this time.
     *
     * @param number of the unit
     */
    public static long part(long ns, long number) {
        return switch (UNITS[(int) number]) {
            case YEAR -> Math.floorDiv(months(ns), 12L);
            case QUARTER -> Math.floorMod(months(ns), 12L) / 3 + 1;
            case MONTH -> Math.floorMod(months(ns), 12L) + 1;
            case WEEK -> week(ns);
            case DAY -> day(ns) - firstDay(months(ns)) + 1;
            case HOUR -> Math.floorMod(ns, DAY_NS) / HOUR_NS;
            case MINUTE -> Math.floorMod(ns, HOUR_NS) / MINUTE_NS;
            case SECOND -> Math.floorMod(ns, MINUTE_NS) / SECOND_NS;
            case MILLISECOND -> Math.floorMod(ns, MINUTE_NS) / MILLISECOND_NS;
            case MICROSECOND -> Math.floorMod(ns, MINUTE_NS) / MICROSECOND_NS;
            case NANOSECOND -> Math.floorMod(ns, MINUTE_NS);
            case DOW -> (weekday(ns) + 1) % 7;
            case ISODOW -> weekday(ns) + 1;
            case DOY -> dayOfYear(day(ns)) + 1;
            case EPOCH -> Math.floorDiv(ns, SECOND_NS);
        };
    }

    private static long day(long ns) {
        return Math.floorDiv(ns, DAY_NS);
    }

    /** Returns the day of the week; 0 is Monday. */
    private static long weekday(long ns) {
        return Math.floorMod(day(ns) + DAYS_AFTER_MONDAY, 7L);
    }

    private static long monthStart(long ns, long unit) {
        long month = months(ns);
        return firstDay(month - Math.floorMod(month, unit)) * DAY_NS;
    }

    private static long dayOfYear(long day) {
        long january = Math.floorDiv(months(day * DAY_NS), 12L) * 12;
        return day - firstDay(january);
    }

    /** A week belongs to the year that has its Thursday. */
    private static long week(long ns) {
        long thursday = day(ns) - weekday(ns) + 3;
        return dayOfYear(thursday) / 7 + 1;
    }

    /**
     * Returns the months since the first of the year 0. Years begin in March here, so a leap day is
     * the last of its year. 400 years have 146,097 days.
     */
    private static long months(long ns) {
        long days = day(ns) + 719_468;
        long era = Math.floorDiv(days, 146_097L);
        long ofEra = days - era * 146_097;
        long year = (ofEra - ofEra / 1_460 + ofEra / 36_524 - ofEra / 146_096) / 365;
        long ofYear = ofEra - (365 * year + year / 4 - year / 100);
        long sinceMarch = (5 * ofYear + 2) / 153;
        return (era * 400 + year) * 12 + sinceMarch + 2;
    }

    /** Returns the first day of such a month, in days since 1970. */
    private static long firstDay(long months) {
        long fromMarch = months - 2;
        long year = Math.floorDiv(fromMarch, 12L);
        long sinceMarch = Math.floorMod(fromMarch, 12L);
        long era = Math.floorDiv(year, 400L);
        long ofEra = year - era * 400;
        long ofYear = (153 * sinceMarch + 2) / 5;
        return era * 146_097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719_468;
    }
}
