package io.weir.operators.window;

import java.util.concurrent.atomic.AtomicReference;

/**
 * Room for the next pane: the tables of a closed one, as large as they had become, emptied by
 * whoever was done with them. So a pane that opens neither grows from nothing nor asks for zeroed
 * memory on the packet path. At most one is kept. Filled by any thread, emptied by the panes'
 * owner.
 */
final class Spare {
    /** What is larger than this part of all panes' bound is not kept. */
    static final int PART = 4;

    private static final long SMALL_BYTES = 1 << 20;
    private static final int LEAST_LOAD = 16;

    private final long mostBytes;
    private final AtomicReference<Tables> kept = new AtomicReference<>();
    private volatile boolean closed;

    Spare(long maxBytes) {
        mostBytes = maxBytes / PART;
    }

    /** Empty tables of before, or null. */
    Tables take() {
        return kept.get() == null ? null : kept.getAndSet(null);
    }

    /**
     * Empties the tables and keeps them; false when they are the caller's to free: not those that
     * are far larger than what was in them, nor when there is one already.
     */
    boolean keep(Tables tables) {
        if (closed || kept.get() != null || !isWorthKeeping(tables)) {
            return false;
        }
        tables.clear();
        if (!kept.compareAndSet(null, tables)) {
            return false;
        }
        if (closed) {
            close();
        }
        return true;
    }

    private boolean isWorthKeeping(Tables tables) {
        long bytes = tables.bytes();
        long used = tables.usedBytes();
        return used > 0
                && bytes <= mostBytes
                && (bytes <= SMALL_BYTES || used > bytes / LEAST_LOAD);
    }

    /** Frees what is kept; nothing is kept from now on. */
    void close() {
        closed = true;
        Tables last = take();
        if (last != null) {
            last.free();
        }
    }
}
