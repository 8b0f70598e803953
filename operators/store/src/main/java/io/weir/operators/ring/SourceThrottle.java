package io.weir.operators.ring;

/**
 * Tells a packet source how far it may run. A finite replay waits until every WHEN that could fire
 * before its next packet is decided. A paced replay also waits for the clock. A live source never
 * waits. The reader's thread only.
 */
public interface SourceThrottle {
    /**
     * Returns the time at which packets must wait: from it on, none may be passed before {@link
     * #settle} returned. It is {@link Long#MAX_VALUE} when nothing can be woken.
     */
    long holdAtNs();

    /**
     * Settles the time up to a packet that must wait. The source first expires its caches as of
     * that packet's time and flushes all writers with their watermarks. Returns when all of it went
     * through pipelines, merge and triggers. {@link #holdAtNs} is then later.
     */
    void settle();

    /**
     * Returns the bound of watermarks: they are at most those after a packet of this time. A time
     * that one source has passed may be final for all. It is {@link Long#MAX_VALUE} if only packets
     * tell the time.
     */
    default long comeNs() {
        return Long.MAX_VALUE;
    }

    /**
     * Returns whether the clock moves the time on while a live pipe brings no packets. Otherwise
     * only packets tell the time.
     */
    default boolean followsClock() {
        return false;
    }

    /**
     * Returns the time that the engine's other sources have passed; MIN_VALUE if none has. A live
     * source that has had no packet yet promises this time, so that the others' windows close.
     */
    default long othersNs() {
        return Long.MIN_VALUE;
    }
}
