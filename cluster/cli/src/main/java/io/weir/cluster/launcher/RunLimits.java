package io.weir.cluster.launcher;

import io.weir.cluster.node.Replay;
import io.weir.operators.account.Stage;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.time.Stopwatch;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Option;

/**
 * Options that end a run before its input does: after a time, a number of packets, or a silence. A
 * thread looks at the account meanwhile.
 */
final class RunLimits {
    /** The pages of the account that packets come in by. */
    private static final Set<String> INPUTS = Set.of("capture", "gpvs");

    private static final long LOOK_NS = 10_000_000L;

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

    @Option(
            names = "--idle",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "End when no source has had a packet for this time.")
    private Duration idle;

    /** Fails for limits that cannot be. */
    void check() {
        if (packets != null && packets < 1) {
            throw new WeirException(
                    ErrorCode.INVALID_OPTION, "--packets " + packets + " cannot be", "at least 1");
        }
    }

    /** Begins to look after a replay, if there is a limit. */
    void watch(Replay replay) {
        if (length != null || packets != null || idle != null) {
            Thread thread = new Thread(() -> look(replay), "weir-limits");
            thread.setDaemon(true);
            thread.start();
        }
    }

    private void look(Replay replay) {
        while (!replay.isReading()) {
            LockSupport.parkNanos(LOOK_NS);
        }
        Stopwatch all = Stopwatch.started();
        Stopwatch silence = Stopwatch.started();
        long before = 0;
        while (replay.isReading()) {
            long now = offered(replay);
            if (now != before) {
                silence.restart();
                before = now;
            }
            if (isOver(length, all) || isOver(idle, silence) || packets != null && now >= packets) {
                replay.stop();
                return;
            }
            LockSupport.parkNanos(LOOK_NS);
        }
    }

    private static boolean isOver(Duration limit, Stopwatch since) {
        return Optional.ofNullable(limit).filter(d -> since.ns() >= d.toNanos()).isPresent();
    }

    private static long offered(Replay replay) {
        return replay.account().snapshot().stream()
                .filter(stage -> INPUTS.contains(stage.stage()))
                .mapToLong(Stage.Snapshot::offered)
                .sum();
    }
}
