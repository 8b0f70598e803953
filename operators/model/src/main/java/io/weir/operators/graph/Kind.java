package io.weir.operators.graph;

/**
 * The kind of a value. It is defined once, for SQL, kernels, rows and sinks.
 *
 * <p>In kernels and rows every kind is held in 64-bit words: one for each kind but {@link #INET},
 * which takes three (family, high, low).
 */
public enum Kind {
    /** 0 or 1. */
    BOOLEAN,
    /** Signed 64 bit. Every integer of SQL is one: a sum of lengths must not wrap at 2^31. */
    BIGINT,
    /** IEEE 754, 64 bit. */
    DOUBLE,
    /** Nanoseconds since the epoch, UTC. */
    TIMESTAMP,
    /** Nanoseconds. */
    INTERVAL,
    /** An IPv4 or IPv6 address with its family; see {@link Inet}. */
    INET,
    /** 48 bits, in the low end of a word. */
    MACADDR,
    /** An id of the process's {@link Symbols}: literals and node ids. */
    VARCHAR;

    /** Returns whether arithmetic is defined on it. */
    public boolean isNumeric() {
        return this == BIGINT || this == DOUBLE;
    }
}
