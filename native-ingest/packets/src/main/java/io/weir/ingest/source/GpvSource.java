package io.weir.ingest.source;

import io.weir.ingest.cache.CacheMetrics;
import java.util.Optional;

/**
 * A source of GPVs that another machine has made, as a switch does. It gets blocks and gives them
 * to a {@link GpvInlet}.
 */
public interface GpvSource extends Source {
    @Override
    default Optional<CacheMetrics> caches() {
        return Optional.empty();
    }
}
