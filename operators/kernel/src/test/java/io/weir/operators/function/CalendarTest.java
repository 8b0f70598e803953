package io.weir.operators.function;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.operators.graph.Function;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Dates as kernels count them are those of the library of dates. */
class CalendarTest {
    private static final long DAY_NS = 86_400_000_000_000L;

    private static final Map<Calendar.Unit, Function> PARTS = named("extract_");
    private static final Map<Calendar.Unit, Function> STARTS = named("date_trunc_");

    private static Map<Calendar.Unit, Function> named(String prefix) {
        Map<Calendar.Unit, Function> named = new EnumMap<>(Calendar.Unit.class);
        for (Calendar.Unit unit : Calendar.Unit.values()) {
            String name = prefix + unit.name().toLowerCase(Locale.ROOT);
            FunctionRegistry.loaded().code().stream()
                    .filter(f -> f.name().equals(name))
                    .forEach(f -> named.put(unit, f));
        }
        return named;
    }

    /** Any time of 64 bits, around midnight above all, and the days of leap years one by one. */
    @Test
    void datesAreThoseOfTheLibraryOfDates() {
        long seed = Long.getLong("weir.seed", 7);
        Random random = new Random(seed);
        for (int i = 0; i < 20_000; i++) {
            long day = random.nextInt(3) == 0 ? i - 10_000L : random.nextInt(60_000) - 30_000L;
            long ns =
                    switch (random.nextInt(3)) {
                        case 0 -> day * DAY_NS + random.nextInt(3) - 1;
                        case 1 -> day * DAY_NS + random.nextLong(DAY_NS);
                        default -> random.nextLong() >> 1;
                    };
            check(ns, seed);
        }
        for (long day = -800; day < 50_000; day++) {
            check(day * DAY_NS, seed);
        }
    }

    private static void check(long ns, long seed) {
        for (Calendar.Unit unit : Calendar.Unit.values()) {
            long number = Calendar.number(unit);
            String of = unit + " of " + ns + ", seed " + seed;
            assertEquals(plain(PARTS.get(unit), ns), Calendar.part(ns, number), of);
            if (unit.hasStart()) {
                assertEquals(plain(STARTS.get(unit), ns), Calendar.start(ns, number), of);
            }
        }
    }

    private static Object plain(Function function, long ns) {
        return function.plain().orElseThrow().of(ns);
    }
}
