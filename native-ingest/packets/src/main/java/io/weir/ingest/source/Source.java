package io.weir.ingest.source;

import io.weir.ingest.cache.CacheMetrics;
import java.util.List;
import java.util.Optional;

/**
 * A running source: reads, and writes GPVs to the rings of its {@link SourceContext}. There are two
 * kinds: {@link PacketSource} and {@link GpvSource}. One thread opens, runs and closes it; {@link
 * #stop}, the counts and the notes are for any.
 */
public interface Source extends AutoCloseable {
    /** Reads everything, or until {@link #stop}, and ends its rings. */
    void run();

    /** Ends {@link #run} soon, as if the source ended there. Idempotent. */
    void stop();

    /** Sentences for the user: what was not read, or read in part. */
    List<String> notes();

    /** Returns the counts of its caches, if it has some. */
    Optional<CacheMetrics> caches();

    @Override
    void close();
}
