package io.weir.cluster.launcher;

import io.weir.ingest.source.SourceSpec;
import io.weir.ingest.source.Sources;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Options for how long sources of packets wait. */
final class DelayOptions {
    /** LATENESS, and the time-out of the cache, where nothing else is said. */
    private static final Duration STANDARD_TIME = Duration.ofSeconds(1);

    @Option(
            names = "--lateness",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description =
                    "A packet older than the newest by more is late: windows leave it out, and it"
                            + " is counted. Any time, as 250ms, 1.5s, 1h30m or 2d (default: 1s;"
                            + " of packets from an interface 10ms).")
    private Duration lateness;

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description =
                    "Longest stay of packets in the GPV cache (default: 1s; of packets from an"
                            + " interface 100ms).")
    private Duration timeout;

    /** Fails for times that cannot be. */
    void check() {
        if (lateness().compareTo(Sources.LONGEST_LATENESS) > 0) {
            throw tooLong("a --lateness over " + Sources.LONGEST_LATENESS.toDays() + "d");
        }
        if (timeout().compareTo(Sources.LONGEST_TIMEOUT) > 0) {
            throw tooLong("a --timeout over " + Sources.LONGEST_TIMEOUT.toHours() + "h");
        }
    }

    private static WeirException tooLong(String option) {
        return new WeirException(ErrorCode.INVALID_OPTION, option + " cannot be", null);
    }

    Duration lateness() {
        return lateness == null ? STANDARD_TIME : lateness;
    }

    Duration timeout() {
        return timeout == null ? STANDARD_TIME : timeout;
    }

    /** Returns sources that have these times. Once one has its own, each says its own. */
    List<SourceSpec> of(List<SourceSpec> sources) {
        boolean some = sources.stream().anyMatch(DelayOptions::hasTimes);
        return some ? sources.stream().map(this::withTimes).toList() : sources;
    }

    private static boolean hasTimes(SourceSpec source) {
        return source.lateness().isPresent() || source.timeout().isPresent();
    }

    /** A source without times of its own has those of the options, whatever others have. */
    private SourceSpec withTimes(SourceSpec source) {
        return with(
                with(source, SourceSpec.LATENESS, lateness, source.lateness()),
                SourceSpec.TIMEOUT,
                timeout,
                source.timeout());
    }

    /** Its own option counts, then the command's, then the scheme's. */
    private static SourceSpec with(
            SourceSpec source, String name, Duration common, Optional<Duration> ofScheme) {
        Duration value = common != null ? common : ofScheme.orElse(STANDARD_TIME);
        return source.option(name).isPresent() ? source : source.with(name, value.toNanos() + "ns");
    }
}
