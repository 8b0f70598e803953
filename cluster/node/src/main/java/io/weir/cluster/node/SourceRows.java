package io.weir.cluster.node;

import io.weir.cluster.sink.TimeText;
import io.weir.ingest.source.SourceSpec;
import io.weir.ingest.source.SourceStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;

/** Makes the rows of SHOW SOURCES, one for each source of a node. */
final class SourceRows {
    static final List<String> HEADINGS =
            List.of(
                    "name",
                    "uri",
                    "node",
                    "scheme",
                    "state",
                    "since",
                    "packets",
                    "packets_per_second",
                    "lost",
                    "excluded",
                    "lag_ms",
                    "ring_fill_percent",
                    "retries",
                    "last_error");

    static final Set<String> NUMBERS =
            Set.of("packets", "packets_per_second", "lag_ms", "ring_fill_percent", "retries");

    private static final long MS_NS = 1_000_000;

    private SourceRows() {}

    /** Returns the rows of live sources. */
    static List<List<String>> of(List<SourceStatus> sources) {
        return sources.stream().map(SourceRows::row).toList();
    }

    private static List<String> row(SourceStatus source) {
        OptionalLong lagMs = source.lagMs();
        return List.of(
                source.name(),
                source.spec().uri(),
                source.spec().node(),
                source.spec().scheme(),
                source.state().label(),
                TimeText.of(source.sinceMs() * MS_NS),
                Long.toString(source.packets()),
                Long.toString(Math.round(source.packetsPerSecond())),
                reasons(source.lost()),
                reasons(source.excluded()),
                lagMs.isPresent() ? Long.toString(lagMs.getAsLong()) : "",
                Long.toString(Math.round(source.ringFill() * 100)),
                Integer.toString(source.retries()),
                source.error().orElse(""));
    }

    private static String reasons(Map<String, Long> counts) {
        return counts.entrySet().stream()
                .map(entry -> entry.getValue() + " " + entry.getKey())
                .collect(Collectors.joining(", "));
    }

    /** Returns the rows of finite sources, which each statement reads from the beginning. */
    static List<List<String>> finite(List<SourceSpec> sources) {
        List<List<String>> rows = new ArrayList<>();
        for (SourceSpec source : sources) {
            rows.add(
                    List.of(
                            "source" + (rows.size() + 1),
                            source.uri(),
                            source.node(),
                            source.scheme(),
                            "finite",
                            "",
                            "",
                            "",
                            "",
                            "",
                            "",
                            "",
                            "",
                            ""));
        }
        return rows;
    }
}
