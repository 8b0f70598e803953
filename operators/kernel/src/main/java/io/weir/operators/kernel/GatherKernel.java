package io.weir.operators.kernel;

import io.weir.operators.map.Batch;
import io.weir.operators.window.Panes;
import io.weir.operators.window.Tables;

/**
 * The base class of kernels whose GPVs are read by C. C reads the GPVs that lie wholly in one pane
 * and in the gate. The plan is data and the loop is the same for all such kernels, so HotSpot
 * compiles the loop only once.
 */
public abstract class GatherKernel extends Kernel {
    protected final Gather gather;

    private final int entryBytes;
    private final boolean paned;

    /**
     * @param entryBytes of the batch
     * @param paned whether packets go to panes by their time; else there is one for all time, which
     *     the caller has entered
     */
    protected GatherKernel(Gather gather, int entryBytes, boolean paned) {
        this.gather = gather;
        this.entryBytes = entryBytes;
        this.paned = paned;
    }

    /** If C adds entries itself, the update only takes those that found no room. */
    @Override
    public final boolean updatesRarely() {
        return gather.adds();
    }

    @Override
    public final void run(Panes panes, long address, int gpvs, int node, long endNs) {
        boolean entered = !paned || panes.resume(gather.tables());
        long next = address;
        int left = gpvs;
        while (left > 0) {
            if (entered && isOpen(panes)) {
                Batch batch = batch(panes, entryBytes);
                read(panes, batch, next, left);
                next = batch.nextGpv();
                left = batch.gpvsLeft();
            }
            if (left > 0) {
                entered = part(panes, next, node, entered);
                next += gather.gpvBytes(next);
                left--;
            }
        }
        updateAll(panes);
        panes.count(gather.packets(next - address, gpvs), 0, 0);
    }

    private static boolean isOpen(Panes panes) {
        return panes.gateFromNs() < panes.gateUntilNs();
    }

    /** Calls C, from the next GPV on, until a call reads none. C reads only whole GPVs. */
    private void read(Panes panes, Batch batch, long next, int gpvs) {
        Tables pane = panes.pane();
        long from = panes.gateFromNs();
        long until = panes.gateUntilNs();
        if (paned) {
            from = Math.max(from, panes.startNs());
            until = Math.min(until, panes.endNs());
        }
        long end = batch.end(Gather.ENTRIES);
        long first = next;
        int left = gpvs;
        boolean goesOn;
        do {
            // C uses the rest of the batch as scratch for the entries that it adds.
            if (batch.next() >= end) {
                updateBatch(panes, batch.next());
            }
            long entry = gather(panes, pane, batch.next(), end, first, left, from, until);
            batch.next(entry);
            goesOn = entry >= end || batch.gpvsLeft() < left;
            first = batch.nextGpv();
            left = batch.gpvsLeft();
        } while (goesOn && left > 0);
    }

    /**
     * Lets C read GPVs from {@code next} on into the batch or the tables. It stops at a GPV that is
     * not whole within the time, or when the batch is full.
     *
     * @param pane the current one
     * @param entry address of the batch's next entry
     * @param end it has room up to here
     * @return address of the next entry after that
     */
    protected abstract long gather(
            Panes panes,
            Tables pane,
            long entry,
            long end,
            long next,
            int gpvs,
            long fromNs,
            long untilNs);

    /**
     * Takes a GPV in parts, each with its pane and within the gate. It is never called if all GPVs
     * are whole.
     *
     * @param entered whether there is a current pane
     * @return whether there is one then
     */
    protected boolean part(Panes panes, long gpv, int node, boolean entered) {
        throw new IllegalStateException("a GPV that is not whole, where there is one pane");
    }
}
