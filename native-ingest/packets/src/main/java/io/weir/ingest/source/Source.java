package io.weir.ingest.source;

import io.weir.ingest.cache.CacheMetrics;
import java.util.List;
import java.util.Optional;

/**
 * A running source: reads, and writes GPVs to the rings of its {@link SourceContext}. There are two
 * kinds: {@link PacketSource} and {@link GpvSource}. One thread opens, runs and closes it; {@link
 * #stop}, the counts and the notes are for any.
 *
 * <p>The thread that runs it calls {@link #step} again and again. If that thread also runs the
 * pipeline, it does so between two steps. So a step must not fill an empty ring.
 */
public interface Source extends AutoCloseable {
    /**
     * Reads on: a bounded number of packets, or until a block is published.
     *
     * @return false at its end, or after {@link #stop}; it has then ended its rings
     */
    boolean step();

    /** Takes all steps, on a thread that runs no pipeline. */
    default void run() {
        while (step()) {}
    }

    /** Ends the steps soon, as if the source ended there. Idempotent. */
    void stop();

    /** Sentences for the user: what was not read, or read in part. */
    List<String> notes();

    /** Returns the time of its newest packet, a while ago; MIN_VALUE if it is not known. */
    default long seenNs() {
        return Long.MIN_VALUE;
    }

    /** Returns the bytes of frames on the wire, or of GPVs, that came so far; a while ago. */
    default long bytes() {
        return 0;
    }

    /** Returns the counts of its caches, if it has some. */
    Optional<CacheMetrics> caches();

    @Override
    void close();
}
