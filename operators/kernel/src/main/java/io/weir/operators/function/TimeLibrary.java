package io.weir.operators.function;

import io.weir.operators.graph.Code;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Expr.Literal;
import io.weir.operators.graph.Function;
import io.weir.operators.graph.Functions;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.Type;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.time.temporal.IsoFields;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Functions of times, which are UTC. */
public final class TimeLibrary implements FunctionLibrary {
    private static final Map<Calendar.Unit, Function> STARTS = new EnumMap<>(Calendar.Unit.class);
    private static final Map<Calendar.Unit, Function> PARTS = new EnumMap<>(Calendar.Unit.class);

    static {
        for (Calendar.Unit unit : Calendar.Unit.values()) {
            String name = unit.name().toLowerCase(Locale.ROOT);
            String number = Calendar.number(unit) + "L";
            PARTS.put(
                    unit,
                    Function.strict(
                            "extract_" + name,
                            Kind.BIGINT,
                            Code.call(Calendar.class, "part", "$0", number),
                            a -> plainPart((Long) a[0], unit),
                            Kind.TIMESTAMP));
            if (unit.hasStart()) {
                STARTS.put(
                        unit,
                        Function.strict(
                                "date_trunc_" + name,
                                Kind.TIMESTAMP,
                                Code.call(Calendar.class, "start", "$0", number),
                                a -> plainStart((Long) a[0], unit),
                                Kind.TIMESTAMP));
            }
        }
    }

    @Override
    public String topic() {
        return "Times";
    }

    @Override
    public List<FunctionDef> functions() {
        return List.of(
                FunctionBuilder.of("NANOSECONDS")
                        .form("NANOSECONDS(x)", "of a time since 1970, or of an interval")
                        .calls("nanoseconds", Parameter.of("x", Kind.TIMESTAMP, Kind.INTERVAL))
                        .gives(Kind.BIGINT)
                        .example("NANOSECONDS(ts)", "1795182300000000000")
                        .example("NANOSECONDS(INTERVAL '1' SECOND)", "1000000000")
                        .build(),
                FunctionBuilder.of("DATE_TRUNC")
                        .form("DATE_TRUNC('hour', time)", "start of the unit that has the time")
                        .row(
                                a -> ofUnit(STARTS, a),
                                unit(STARTS),
                                Parameter.of("time", Kind.TIMESTAMP))
                        .gives(Kind.TIMESTAMP)
                        .code(STARTS.values().toArray(Function[]::new))
                        .example("DATE_TRUNC('hour', ts)", "2026-11-20 13:00:00")
                        .example("DATE_TRUNC('week', ts)", "2026-11-16 00:00:00")
                        .build(),
                FunctionBuilder.of("EXTRACT")
                        .alsoCalled("DATE_PART")
                        .form("EXTRACT(HOUR FROM time)", "a part of a time; also DATE_PART")
                        .row(
                                a -> ofUnit(PARTS, a),
                                unit(PARTS),
                                Parameter.of("time", Kind.TIMESTAMP))
                        .gives(Kind.BIGINT)
                        .code(PARTS.values().toArray(Function[]::new))
                        .example("EXTRACT(HOUR FROM ts)", "13")
                        .example("EXTRACT(DOW FROM ts)", "5")
                        .example("DATE_PART('week', ts)", "47")
                        .build(),
                FunctionBuilder.of("LOCAL_TIME")
                        .form("LOCAL_TIME(time, '+02:00')", "what clocks at this offset show")
                        .row(TimeLibrary::local, Parameter.of("time", Kind.TIMESTAMP), zone())
                        .gives(Kind.TIMESTAMP)
                        .example("LOCAL_TIME(ts, '+02:00')", "2026-11-20 15:45:00")
                        .form("time AT TIME ZONE '+02:00'", "the same")
                        .example("EXTRACT(HOUR FROM LOCAL_TIME(ts, '-03:30'))", "10")
                        .example("ts AT TIME ZONE '+02:00'", "2026-11-20 15:45:00")
                        .build());
    }

    private static Parameter zone() {
        return Parameter.constant(
                        "zone",
                        new Literal("Z", Type.VARCHAR),
                        "a zone is an offset from UTC",
                        v -> v instanceof String s && offset(s).isPresent())
                .hinting("write it as '+02:00'; names of zones are not known");
    }

    private static Optional<ZoneOffset> offset(String text) {
        try {
            return Optional.of(text.equals("UTC") ? ZoneOffset.UTC : ZoneOffset.of(text));
        } catch (DateTimeException notAnOffset) {
            return Optional.empty();
        }
    }

    /** Returns by how much clocks at an offset from UTC are ahead; empty for other texts. */
    public static Optional<Long> zoneNs(String text) {
        return offset(text).map(zone -> zone.getTotalSeconds() * 1_000_000_000L);
    }

    private static Expr local(List<Expr> arguments) {
        String zone = (String) ((Literal) arguments.get(1)).value();
        long ns = zoneNs(zone).orElseThrow();
        return Functions.call("+", arguments.get(0), new Literal(ns, Type.INTERVAL));
    }

    private static Parameter unit(Map<Calendar.Unit, Function> units) {
        String names =
                units.keySet().stream()
                        .map(u -> u.name().toLowerCase(Locale.ROOT))
                        .collect(Collectors.joining(", "));
        return Parameter.constant(
                        "unit",
                        new Literal("hour", Type.VARCHAR),
                        "there is no such unit here",
                        v -> v instanceof String s && known(units, s).isPresent())
                .hinting("units are " + names);
    }

    private static Optional<Function> known(Map<Calendar.Unit, Function> units, String name) {
        return units.entrySet().stream()
                .filter(entry -> entry.getKey().name().equalsIgnoreCase(name))
                .map(Map.Entry::getValue)
                .findFirst();
    }

    private static Expr ofUnit(Map<Calendar.Unit, Function> units, List<Expr> arguments) {
        String unit = (String) ((Literal) arguments.get(0)).value();
        return Functions.call(known(units, unit).orElseThrow(), arguments.subList(1, 2));
    }

    private static ZonedDateTime utc(long ns) {
        long second = Math.floorDiv(ns, 1_000_000_000L);
        return Instant.ofEpochSecond(second, Math.floorMod(ns, 1_000_000_000L))
                .atZone(ZoneOffset.UTC);
    }

    /** Computes it with Java's library of dates; kernels count days themselves. */
    private static long plainStart(long ns, Calendar.Unit unit) {
        ZonedDateTime time = utc(ns);
        ZonedDateTime day = time.truncatedTo(ChronoUnit.DAYS);
        ZonedDateTime start =
                switch (unit) {
                    case YEAR -> day.withDayOfYear(1);
                    case QUARTER ->
                            day.withDayOfMonth(1).minusMonths((day.getMonthValue() - 1) % 3);
                    case MONTH -> day.withDayOfMonth(1);
                    case WEEK -> day.minusDays(day.getDayOfWeek().getValue() - 1);
                    case DAY -> day;
                    case HOUR -> time.truncatedTo(ChronoUnit.HOURS);
                    case MINUTE -> time.truncatedTo(ChronoUnit.MINUTES);
                    case SECOND -> time.truncatedTo(ChronoUnit.SECONDS);
                    case MILLISECOND -> time.truncatedTo(ChronoUnit.MILLIS);
                    case MICROSECOND -> time.truncatedTo(ChronoUnit.MICROS);
                    default -> time;
                };
        return start.toEpochSecond() * 1_000_000_000L + start.getNano();
    }

    private static long plainPart(long ns, Calendar.Unit unit) {
        ZonedDateTime time = utc(ns);
        return switch (unit) {
            case YEAR -> time.getYear();
            case QUARTER -> time.get(IsoFields.QUARTER_OF_YEAR);
            case MONTH -> time.getMonthValue();
            case WEEK -> time.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR);
            case DAY -> time.getDayOfMonth();
            case HOUR -> time.getHour();
            case MINUTE -> time.getMinute();
            case SECOND -> time.getSecond();
            case MILLISECOND -> time.getSecond() * 1_000L + time.getNano() / 1_000_000;
            case MICROSECOND -> time.getSecond() * 1_000_000L + time.getNano() / 1_000;
            case NANOSECOND -> time.getSecond() * 1_000_000_000L + time.getNano();
            case DOW -> time.getDayOfWeek().getValue() % 7;
            case ISODOW -> time.getDayOfWeek().getValue();
            case DOY -> time.getDayOfYear();
            case EPOCH -> time.toEpochSecond();
        };
    }
}
