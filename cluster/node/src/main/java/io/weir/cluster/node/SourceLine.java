package io.weir.cluster.node;

import io.weir.cluster.sink.TimeText;
import io.weir.ingest.source.SourceSpec;
import io.weir.ingest.source.SourceStatus;
import io.weir.ingest.source.Sources;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A source as SHOW SOURCES tells it.
 *
 * @param state a word
 * @param counts empty if nobody counts it here
 * @param error why it failed last, or waits; empty if there is no reason
 */
public record SourceLine(
        String name, String uri, String node, String state, Optional<Counts> counts, String error) {
    public static final List<String> HEADINGS =
            List.of(
                    "name",
                    "uri",
                    "node",
                    "scheme",
                    "state",
                    "since",
                    "packets",
                    "packets_per_second",
                    "bytes_per_second",
                    "lost",
                    "excluded",
                    "lag_ms",
                    "ring_fill_percent",
                    "retries",
                    "last_error");

    public static final Set<String> NUMBERS =
            Set.of(
                    "packets",
                    "packets_per_second",
                    "bytes_per_second",
                    "lag_ms",
                    "ring_fill_percent",
                    "retries");

    private static final long MS_NS = 1_000_000;

    /**
     * Counts of a live source.
     *
     * @param sinceMs since when it is in its state, in milliseconds since the epoch
     * @param lost packets by reason
     * @param excluded packets by reason
     * @param ringFill from 0 to 1
     */
    public record Counts(
            long sinceMs,
            long packets,
            double packetsPerSecond,
            double bytesPerSecond,
            Map<String, Long> lost,
            Map<String, Long> excluded,
            OptionalLong lagMs,
            double ringFill,
            int retries) {}

    /** Returns the lines of finite sources, which each statement reads from the beginning. */
    static List<SourceLine> finite(List<SourceSpec> specs) {
        List<SourceLine> lines = new ArrayList<>();
        Sources.named(specs)
                .forEach((name, spec) -> lines.add(of(name, spec, "finite", Optional.empty(), "")));
        return lines;
    }

    private static SourceLine of(
            String name, SourceSpec spec, String state, Optional<Counts> counts, String error) {
        return new SourceLine(name, spec.uri(), spec.node(), state, counts, error);
    }

    static SourceLine of(SourceStatus source) {
        return of(
                source.name(),
                source.spec(),
                source.state().label(),
                Optional.of(
                        new Counts(
                                source.sinceMs(),
                                source.packets(),
                                source.packetsPerSecond(),
                                source.bytesPerSecond(),
                                source.lost(),
                                source.excluded(),
                                source.lagMs(),
                                source.ringFill(),
                                source.retries())),
                source.error().orElse(""));
    }

    /** Returns the cells of its row. */
    public List<String> row() {
        String scheme = uri.substring(0, Math.max(0, uri.indexOf(':')));
        if (counts.isEmpty()) {
            return List.of(
                    name, uri, node, scheme, state, "", "", "", "", "", "", "", "", "", error);
        }
        Counts now = counts.get();
        return List.of(
                name,
                uri,
                node,
                scheme,
                state,
                TimeText.of(now.sinceMs() * MS_NS),
                Long.toString(now.packets()),
                Long.toString(Math.round(now.packetsPerSecond())),
                Long.toString(Math.round(now.bytesPerSecond())),
                reasons(now.lost()),
                reasons(now.excluded()),
                now.lagMs().isPresent() ? Long.toString(now.lagMs().getAsLong()) : "",
                Long.toString(Math.round(now.ringFill() * 100)),
                Integer.toString(now.retries()),
                error);
    }

    private static String reasons(Map<String, Long> counts) {
        return counts.entrySet().stream()
                .map(entry -> entry.getValue() + " " + entry.getKey())
                .collect(Collectors.joining(", "));
    }
}
