package io.weir.operators.memory;

/** What a piece of native memory is for. */
public enum MemoryTag {
    RING,
    /** Hash tables of running queries. */
    MAP,
    /** Rows and partials on their way out. */
    ROWS,
    /** Slots and buffers of a source's GPV cache. */
    CACHE,
    /** Whatever lives no longer than one call. */
    SCRATCH,
    /** Parts of files that are seen through memory: pages of the system's, of no limit here. */
    FILE,
    /** Bytes of captures that came by a pipe. */
    PIPE,
    TEST
}
