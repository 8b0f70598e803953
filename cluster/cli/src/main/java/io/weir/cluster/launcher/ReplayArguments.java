package io.weir.cluster.launcher;

import io.weir.cluster.worker.ReplayOptions;
import io.weir.ingest.source.SourceSpec;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The options for a worker's replay of captures. */
final class ReplayArguments {
    @Option(
            names = "--speed",
            paramLabel = "FACTOR",
            defaultValue = "1",
            description = {
                "Seconds of the capture that pass in one; max: as fast as they are read"
                        + " (default: ${DEFAULT-VALUE})."
            })
    private String speed;

    @Option(
            names = "--repeat",
            description = "Begins the captures again when they end. Their times go on.")
    private boolean repeat;

    @Option(
            names = "--begin",
            paramLabel = "TIME",
            defaultValue = "capture",
            description = {
                "What the first packet's time becomes: capture leaves it as it is (default), now is"
                        + " when the worker is ready, and at a time like 2026-11-20T23:40:00Z it waits"
                        + " until then."
            })
    private String begin;

    @Option(
            names = "--for-query",
            paramLabel = "TIME",
            defaultValue = "0s",
            converter = DurationConverter.class,
            description = "Wait up to this long for a query before the first packet.")
    private Duration forQuery;

    /**
     * Fails if options would change the times of a pipe's packets.
     *
     * @param command that runs
     */
    void check(CommandSpec command, List<SourceSpec> captures) {
        if (captures.stream().anyMatch(SourceSpec::isReadOnce)) {
            for (String option : List.of("--speed", "--repeat", "--begin")) {
                TypedOptions.checkNone(
                        command,
                        option,
                        "cannot be with a pipe",
                        "its packets are counted as they come, with their own times");
            }
        }
    }

    ReplayOptions options() {
        return new ReplayOptions(speed(), repeat, begin(), forQuery);
    }

    private double speed() {
        if (speed.equals("max")) {
            return Double.POSITIVE_INFINITY;
        }
        try {
            double factor = Double.parseDouble(speed);
            if (factor > 0 && Double.isFinite(factor)) {
                return factor;
            }
        } catch (NumberFormatException e) {
            throw noSpeed();
        }
        throw noSpeed();
    }

    private WeirException noSpeed() {
        return new WeirException(
                ErrorCode.INVALID_OPTION, "--speed " + speed + " cannot be", "a factor, or max");
    }

    private Optional<Instant> begin() {
        return switch (begin) {
            case "capture" -> Optional.empty();
            case "now" -> Optional.of(ReplayOptions.WHEN_READY);
            default -> Optional.of(time());
        };
    }

    private Instant time() {
        try {
            return Instant.parse(begin);
        } catch (DateTimeParseException e) {
            throw new WeirException(
                    ErrorCode.INVALID_OPTION,
                    "--begin " + begin + " cannot be",
                    "capture, now, or a time like 2026-11-20T23:40:00Z");
        }
    }
}
