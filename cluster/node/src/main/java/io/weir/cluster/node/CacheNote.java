package io.weir.cluster.node;

import io.weir.ingest.cache.CacheMetrics;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Makes a sentence about the work of the GPV cache. */
final class CacheNote {
    private CacheNote() {}

    static Optional<String> of(CacheMetrics metrics) {
        if (metrics.gpvs() == 0) {
            return Optional.empty();
        }
        String causes =
                metrics.gpvsByCause().entrySet().stream()
                        .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                        .map(cause -> cause.getValue() + " " + cause.getKey())
                        .collect(Collectors.joining(", "));
        return Optional.of(
                String.format(
                        Locale.ROOT,
                        "%d packets in %d GPVs (eviction ratio %.3f): %s",
                        metrics.packets(),
                        metrics.gpvs(),
                        metrics.evictionRatio(),
                        causes));
    }
}
