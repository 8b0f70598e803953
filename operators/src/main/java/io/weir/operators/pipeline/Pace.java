package io.weir.operators.pipeline;

/**
 * What the reader of a finite input asks, so that a query woken by WHEN counts from an exact time
 * on. The reader's thread only.
 */
public interface Pace {
    /**
     * No packet with a time at or after this may be passed on before {@link #settle} returned;
     * {@link Long#MAX_VALUE} when nothing can be woken.
     */
    long holdAtNs();

    /**
     * To be called with such a packet in hand, after the source has expired its caches as of that
     * packet's time and flushed all writers with their watermarks. Returns when all of it went
     * through pipelines, merge and triggers; {@link #holdAtNs} is then later.
     */
    void settle();
}
