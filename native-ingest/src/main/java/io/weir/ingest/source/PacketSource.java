package io.weir.ingest.source;

import io.weir.ingest.cache.CacheMetrics;
import java.util.List;

/**
 * A running source of packets: reads frames, decodes them, groups them to GPVs in its cache, and
 * writes these to the rings of its {@link SourceContext}. One thread opens, runs and closes it;
 * {@link #stop}, the counts and the notes are for any.
 */
public interface PacketSource extends AutoCloseable {
    /** Reads everything, or until {@link #stop}, and ends its rings. */
    void run();

    /** Ends {@link #run} soon, as if the source ended there. Idempotent. */
    void stop();

    /** What the caches do. */
    CacheMetrics metrics();

    /** Sentences for the user: what was not read, or read in part. */
    List<String> notes();

    @Override
    void close();
}
