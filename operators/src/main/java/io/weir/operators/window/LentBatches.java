package io.weir.operators.window;

import io.weir.operators.map.Batch;
import io.weir.operators.memory.NativeAllocator;

/**
 * The batches of a kernel, each lent to a pane until the kernel has updated all: as many as there
 * are panes that packets go to in turn, as a rule. One thread.
 */
final class LentBatches implements AutoCloseable {
    /** A GPV may be as old as a window is long. */
    private static final int BATCHES = 4;

    private final NativeAllocator allocator;
    private final Batch[] batches = new Batch[BATCHES];
    private final Tables[] borrowers = new Tables[BATCHES];
    private int lent;

    LentBatches(NativeAllocator allocator) {
        this.allocator = allocator;
        batches[0] = new Batch(allocator);
    }

    boolean areAllLent() {
        return lent == batches.length;
    }

    /** Lends a pane one of entries of so many bytes; there is one. */
    void lend(Tables pane, int entryBytes) {
        if (batches[lent] == null) {
            batches[lent] = new Batch(allocator);
        }
        batches[lent].fit(entryBytes);
        borrowers[lent] = pane;
        pane.lend(batches[lent++]);
    }

    int lent() {
        return lent;
    }

    /** The pane that has one of those that are lent. */
    Tables borrower(int number) {
        return borrowers[number];
    }

    void takeBack() {
        for (int b = 0; b < lent; b++) {
            borrowers[b].lend(null);
            borrowers[b] = null;
        }
        lent = 0;
    }

    @Override
    public void close() {
        for (Batch batch : batches) {
            if (batch != null) {
                batch.close();
            }
        }
    }
}
