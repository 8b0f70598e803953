package io.weir.operators.window;

import java.util.concurrent.atomic.AtomicReference;

/**
 * Keeps the tables of a closed pane for the next one. They keep their size and are emptied by their
 * last holder. So a pane that opens need not grow, and asks for no zeroed memory on the packet
 * path. At most one is kept. Any thread fills it, the panes' owner empties it.
 */
final class SpareTables {
    /** Tables larger than this fraction of all panes' bound are not kept. */
    static final int PART = 4;

    private static final long SMALL_BYTES = 1 << 20;
    private static final int LEAST_LOAD = 16;

    private final long mostBytes;
    private final AtomicReference<Tables> kept = new AtomicReference<>();
    private volatile boolean closed;

    SpareTables(long maxBytes) {
        mostBytes = maxBytes / PART;
    }

    /** Returns empty tables of a closed pane, or null. */
    Tables take() {
        return kept.get() == null ? null : kept.getAndSet(null);
    }

    /**
     * Empties the tables and keeps them. Returns false if the caller must free them: they are far
     * larger than their content was, or there is already one.
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

    /** Frees the kept tables. Nothing is kept from now on. */
    void close() {
        closed = true;
        Tables last = take();
        if (last != null) {
            last.free();
        }
    }
}
