package io.weir.cluster.launcher;

import io.weir.cluster.kafka.catalog.SlicedReplay;
import io.weir.cluster.node.NodeSettings;
import io.weir.cluster.worker.ReplayOptions;
import io.weir.ingest.source.SourceSpec;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;

/** The options for a replay that several workers share. */
final class SliceOptions {
    private static final long MERGES_DELAY_NS = NodeSettings.DEFAULT.engine().delayNs();
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_]{1,100}");

    @Option(
            names = "--slices",
            paramLabel = "NAME",
            description = {
                "Share the captures with all workers that name the same: split by (src_addr, dst_addr)"
                        + " into slices, which move when a worker goes or comes. node_id is NAME for"
                        + " files without NODE=."
            })
    private String name;

    @Option(
            names = "--slice-count",
            paramLabel = "N",
            defaultValue = "8",
            description = "How many slices, the same for all workers (default: ${DEFAULT-VALUE}).")
    private int count;

    @Option(
            names = "--slice-workers",
            paramLabel = "N",
            defaultValue = "1",
            description = {
                "So many workers are waited for before the first packet (default: ${DEFAULT-VALUE})."
            })
    private int leastWorkers;

    @Option(
            names = "--settle",
            description = {
                "Packets keep the capture's times, and wait until the conditions of queries with WHEN"
                        + " are settled in the whole cluster: rows are those of weir run."
            })
    private boolean settles;

    boolean settles() {
        return settles;
    }

    Optional<String> name() {
        return Optional.ofNullable(name);
    }

    /** Returns the replay as its first worker would make it. */
    SlicedReplay wanted(List<SourceSpec> captures, ReplayOptions replay, Clock clock) {
        if (!NAME.matcher(name).matches()) {
            throw invalid("--slices " + name, "letters, digits and _");
        } else if (count < 1 || count > SlicedReplay.MOST) {
            throw invalid("--slice-count " + count, "from 1 to " + SlicedReplay.MOST);
        } else if (leastWorkers < 1 || leastWorkers > count) {
            throw invalid("--slice-workers " + leastWorkers, "from 1 to the number of slices");
        } else if (replay.repeat()) {
            throw invalid("--repeat with --slices", "slices are counted once, to their ends");
        }
        return new SlicedReplay(
                name,
                0,
                count,
                captures.stream().map(SourceSpec::node).collect(Collectors.toSet()),
                replay.begin()
                        .filter(begin -> !begin.equals(ReplayOptions.WHEN_READY))
                        .orElseGet(clock::instant)
                        .toEpochMilli(),
                replay.shifted(),
                settles ? Double.POSITIVE_INFINITY : replay.speed(),
                leastWorkers,
                settles);
    }

    /** Returns the options of the existing replay, whoever made it. */
    static ReplayOptions of(SlicedReplay there, ReplayOptions here) {
        return new ReplayOptions(
                there.speed(),
                false,
                Optional.of(Instant.ofEpochMilli(there.startMs())),
                there.shifted(),
                here.forQuery());
    }

    /**
     * Fails if only one of the two settles, or if this worker would hold packets in another way.
     */
    static void check(SlicedReplay wanted, SlicedReplay there, NodeSettings here) {
        if (wanted.settles() && !there.settles()) {
            throw new WeirException(
                    ErrorCode.INVALID_OPTION,
                    "the slices " + there.name() + " are there, and do not settle",
                    "take another name, or remove them with weir slices --drop");
        } else if (there.settles() && here.engine().delayNs() != MERGES_DELAY_NS) {
            throw invalid(
                    "--lateness or --timeout with --settle",
                    "do not change them: the merge, which wakes queries, has those values");
        }
    }

    private static WeirException invalid(String what, String hint) {
        return new WeirException(ErrorCode.INVALID_OPTION, what + " cannot be", hint);
    }
}
