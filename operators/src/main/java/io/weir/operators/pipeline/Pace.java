package io.weir.operators.pipeline;

/**
 * What the reader of an input asks that is not to run ahead: of a query woken by WHEN, which counts
 * from an exact time on, or of the clock. The reader's thread only.
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

    /**
     * Watermarks are at most those after a packet of this time, whatever packet is in hand: what
     * has passed for one source may be final for all. {@link Long#MAX_VALUE} where packets alone
     * tell the time.
     */
    default long comeNs() {
        return Long.MAX_VALUE;
    }

    /**
     * Whether time goes on by the clock where a pipe brings packets as they are seen, and brings
     * none for a while. Else packets alone tell the time.
     */
    default boolean followsClock() {
        return false;
    }
}
