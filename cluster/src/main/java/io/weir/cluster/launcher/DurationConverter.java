package io.weir.cluster.launcher;

import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Durations as people write them: {@code 1s}, {@code 250ms}, {@code 1.5m}. */
public final class DurationConverter implements ITypeConverter<Duration> {
    private static final Pattern FORM =
            Pattern.compile("(\\d{1,9}(?:\\.\\d{1,9})?)(ns|us|ms|s|m|h)");
    private static final Map<String, Double> UNIT_NS =
            Map.of("ns", 1.0, "us", 1e3, "ms", 1e6, "s", 1e9, "m", 60e9, "h", 3600e9);

    @Override
    public Duration convert(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new TypeConversionException(
                    "'" + text + "' is not a duration such as 1s, 250ms or 1.5m");
        }
        return Duration.ofNanos(
                Math.round(Double.parseDouble(matcher.group(1)) * UNIT_NS.get(matcher.group(2))));
    }
}
