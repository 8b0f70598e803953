package io.weir.ingest.cache;

import java.util.Locale;

/** The reason why a GPV left the cache. */
public enum Eviction {
    /** A packet of another flow came to its slot. */
    COLLISION(0),
    /** Its narrow buffer filled, and there was no wide one for it. */
    NARROW_FULL(1),
    /** Its wide buffer filled. */
    WIDE_FULL(2),
    /** Its first packet was as old as the time-out. */
    TIMEOUT(3),
    /** The next packet of its flow was older than its last. */
    TIME_BACK(4),
    /** The next packet of its flow was further from its first than a delta can say. */
    DELTA_OVERFLOW(5),
    /** The next packet of its flow was late. */
    LATE(6),
    /** The next packet of its flow does not fit the layout and went out in {@code full}. */
    UNFIT(7),
    /** The input ended. */
    END(8);

    private static final Eviction[] ALL = values();

    private final int code;

    Eviction(int code) {
        this.code = code;
    }

    /** Returns the code, from 0 without gaps. */
    public int code() {
        return code;
    }

    /** Returns the label in lower snake case. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    static int count() {
        return ALL.length;
    }
}
