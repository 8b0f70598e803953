package io.weir.ingest.source;

import io.weir.ingest.cache.CacheMetrics;
import java.util.Optional;

/**
 * A source of packets: reads frames, decodes them, groups them to GPVs in its cache, and writes
 * these to its rings.
 */
public interface PacketSource extends Source {
    /** Returns the caches' counts. */
    CacheMetrics metrics();

    @Override
    default Optional<CacheMetrics> caches() {
        return Optional.of(metrics());
    }
}
