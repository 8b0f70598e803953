package io.weir.ingest.source;

import io.weir.ingest.cache.CacheConfig;

/**
 * The settings of a replay of capture files.
 *
 * @param latenessNs a packet older than the newest of its file by more than this is late
 * @param cache of a run over one file; several share its slots
 */
public record SourceConfig(long latenessNs, CacheConfig cache) {
    public static final SourceConfig DEFAULT =
            new SourceConfig(1_000_000_000L, CacheConfig.DEFAULT);

    /** Ten years. Packets are of the years 1823 to 2116. */
    public static final long LONGEST_LATENESS_NS = 3_650L * 86_400 * 1_000_000_000;

    public SourceConfig {
        if (latenessNs < 0 || latenessNs > LONGEST_LATENESS_NS) {
            throw new IllegalArgumentException(
                    "latenessNs is not from 0 to " + LONGEST_LATENESS_NS + ": " + latenessNs);
        }
    }
}
