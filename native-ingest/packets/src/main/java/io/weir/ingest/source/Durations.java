package io.weir.ingest.source;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as people write them: {@code 1s}, {@code 250ms}, {@code 1.5m}, {@code 1h 30min}. */
public final class Durations {
    private static final long SECOND_NS = 1_000_000_000L;
    private static final Map<String, Long> UNIT_NS =
            Map.ofEntries(
                    Map.entry("ns", 1L),
                    Map.entry("us", 1_000L),
                    Map.entry("\u00b5s", 1_000L),
                    Map.entry("\u03bcs", 1_000L),
                    Map.entry("ms", 1_000_000L),
                    Map.entry("s", SECOND_NS),
                    Map.entry("sec", SECOND_NS),
                    Map.entry("m", 60 * SECOND_NS),
                    Map.entry("min", 60 * SECOND_NS),
                    Map.entry("h", 3_600 * SECOND_NS),
                    Map.entry("d", 86_400 * SECOND_NS));

    private static final Pattern PART =
            Pattern.compile("(\\d{1,18}(?:\\.\\d{1,18})?|\\.\\d{1,18})\\s?(\\p{L}{1,3})\\s?");

    private Durations() {}

    /** Reads a duration; empty if the text is none. It is cut to 292 years. */
    public static Optional<Duration> parse(String text) {
        Matcher part = PART.matcher(text.strip().toLowerCase(Locale.ROOT));
        BigDecimal sumNs = BigDecimal.ZERO;
        int end = 0;
        while (part.find() && part.start() == end && UNIT_NS.containsKey(part.group(2))) {
            BigDecimal unitNs = BigDecimal.valueOf(UNIT_NS.get(part.group(2)));
            sumNs = sumNs.add(new BigDecimal(part.group(1)).multiply(unitNs));
            end = part.end();
        }
        if (end == 0 || end < part.regionEnd()) {
            return Optional.empty();
        }
        BigDecimal most = BigDecimal.valueOf(Long.MAX_VALUE);
        long ns = sumNs.min(most).setScale(0, RoundingMode.HALF_UP).longValue();
        return Optional.of(Duration.ofNanos(ns));
    }
}
