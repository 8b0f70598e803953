package io.weir.operators.result;

/**
 * The number of a source's packets by event time. Any thread may ask, for times that the source's
 * watermark has passed.
 */
public interface SourceCounts {
    /** Returns the packets in time whose own time is before this one. */
    long before(long timeNs);

    /**
     * Returns the late packets that came while the newest time of the source was before this one.
     */
    long lateBefore(long timeNs);
}
