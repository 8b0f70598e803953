package io.weir.cluster.launcher;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import picocli.CommandLine.Option;

/** Options that end the reading of packets before the sources do. */
final class ReadingLimits {
    @Option(
            names = "--for",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "End after this time of reading, as 30s or 5m.")
    private Duration length;

    @Option(
            names = "--packets",
            paramLabel = "N",
            description = "End soon after N packets of all sources.")
    private Long packets;

    /** Fails for limits that cannot be. */
    void check() {
        if (packets != null && packets < 1) {
            throw new WeirException(
                    ErrorCode.INVALID_OPTION, "--packets " + packets + " cannot be", "at least 1");
        }
    }

    Optional<Duration> length() {
        return Optional.ofNullable(length);
    }

    OptionalLong packets() {
        return packets == null ? OptionalLong.empty() : OptionalLong.of(packets);
    }
}
