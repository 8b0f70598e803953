package io.weir.cluster.launcher;

import io.weir.cluster.node.Replay;
import io.weir.operators.account.Stage;
import io.weir.operators.time.Stopwatch;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Options that end a run before its input does: after a time, a number of packets, or a silence. A
 * thread looks at the account meanwhile.
 */
final class RunLimits {
    /** The pages of the account that packets come in by. */
    private static final Set<String> INPUTS = Set.of("capture", "gpvs");

    private static final long LOOK_NS = 10_000_000L;

    @Mixin private ReadingLimits limits = new ReadingLimits();

    @Option(
            names = "--idle",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "End when no source has had a packet for this time.")
    private Duration idle;

    /** Fails for limits that cannot be. */
    void check() {
        limits.check();
    }

    /** Begins to look after a replay, if there is a limit. */
    void watch(Replay replay) {
        if (limits.length().isPresent() || limits.packets().isPresent() || idle != null) {
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
            boolean enough = limits.packets().isPresent() && now >= limits.packets().getAsLong();
            if (enough
                    || isOver(limits.length(), all)
                    || isOver(Optional.ofNullable(idle), silence)) {
                replay.stop();
                return;
            }
            LockSupport.parkNanos(LOOK_NS);
        }
    }

    private static boolean isOver(Optional<Duration> limit, Stopwatch since) {
        return limit.filter(length -> since.ns() >= length.toNanos()).isPresent();
    }

    private static long offered(Replay replay) {
        return replay.account().snapshot().stream()
                .filter(stage -> INPUTS.contains(stage.stage()))
                .mapToLong(Stage.Snapshot::offered)
                .sum();
    }
}
