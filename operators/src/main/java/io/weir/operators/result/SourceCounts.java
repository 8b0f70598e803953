package io.weir.operators.result;

/**
 * How many packets a source has had, by event time. Any thread, about times that the source's
 * watermark has passed.
 */
public interface SourceCounts {
    /** Packets in time whose own time is before this one. */
    long before(long timeNs);

    /** Late packets that came while the newest time of the source was before this one. */
    long lateBefore(long timeNs);
}
