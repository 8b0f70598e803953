package io.weir.operators.memory;

/** The purpose of a piece of native memory. */
public enum MemoryTag {
    RING,
    /** Hash tables of running queries. */
    MAP,
    /** Rows and partials on their way out. */
    ROWS,
    /** Slots and buffers of a source's GPV cache. */
    CACHE,
    /** Memory that lives no longer than one call. */
    SCRATCH,
    /** Mapped parts of files. They are pages of the system and have no limit here. */
    FILE,
    /** Bytes of captures that come by a pipe. */
    PIPE,
    /** Lookup tables: rows, and the indexes over them. */
    TABLE,
    TEST
}
