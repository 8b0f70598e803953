package io.weir.cluster.launcher;

import io.weir.ingest.source.Durations;
import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads options that are durations, such as {@code 1s}, {@code 250ms} or {@code 1h 30min}. */
public final class DurationConverter implements ITypeConverter<Duration> {
    @Override
    public Duration convert(String text) {
        return Durations.parse(text)
                .orElseThrow(
                        () ->
                                new TypeConversionException(
                                        "'"
                                                + text
                                                + "' is not a duration such as 1s, 250ms, 1.5m,"
                                                + " 1h30m or 2d"));
    }
}
