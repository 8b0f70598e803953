package io.weir.operators.window;

import io.weir.operators.map.Batch;
import io.weir.operators.memory.NativeAllocator;

/**
 * The batches of a kernel. Each is lent to a pane until the kernel has updated all. There are
 * usually as many as panes that packets go to in turn. One thread.
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

    /** Lends a pane a batch with entries of so many bytes. One must be free. */
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

    /** Returns the pane that has borrowed this batch. */
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
