package io.weir.cluster.launcher;

import io.weir.cluster.kafka.catalog.SlicedReplay;
import io.weir.cluster.node.Capture;
import io.weir.cluster.worker.ReplayOptions;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;

/** A replay that several workers share. */
final class SliceOptions {
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

    Optional<String> name() {
        return Optional.ofNullable(name);
    }

    /** The replay as the first worker of it would have it. */
    SlicedReplay wanted(List<Capture> captures, ReplayOptions replay) {
        if (!NAME.matcher(name).matches()) {
            throw invalid("--slices " + name, "letters, digits and _");
        } else if (count < 1 || count > SlicedReplay.MOST) {
            throw invalid("--slice-count " + count, "from 1 to " + SlicedReplay.MOST);
        } else if (replay.repeat()) {
            throw invalid("--repeat with --slices", "slices are counted once, to their ends");
        }
        return new SlicedReplay(
                name,
                0,
                count,
                captures.stream().map(Capture::node).collect(Collectors.toSet()),
                replay.begin()
                        .filter(begin -> !begin.equals(ReplayOptions.WHEN_READY))
                        .orElseGet(Instant::now)
                        .toEpochMilli(),
                replay.shifted(),
                replay.speed());
    }

    /** As the one that is there has it, whoever was first. */
    static ReplayOptions of(SlicedReplay there, ReplayOptions here) {
        return new ReplayOptions(
                there.speed(),
                false,
                Optional.of(Instant.ofEpochMilli(there.startMs())),
                there.shifted(),
                here.forQuery());
    }

    private static WeirException invalid(String what, String hint) {
        return new WeirException(ErrorCode.INVALID_OPTION, what + " cannot be", hint);
    }
}
