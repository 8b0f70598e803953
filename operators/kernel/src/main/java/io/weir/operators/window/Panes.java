package io.weir.operators.window;

import io.weir.operators.error.WeirException;
import io.weir.operators.map.Batch;
import io.weir.operators.map.BindingTable;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.table.TableReaders;
import java.util.List;

/**
 * The open panes of one query on one pipeline, and the counts of its packets. Kernels {@link
 * #enter} the pane of a packet's time. They then work on its tables until a packet lies outside [
 * {@link #startNs}, {@link #endNs}). Owned by the pipeline's thread. Only opening a pane allocates.
 *
 * <p>The number of panes and their bytes are bounded. Packets beyond a bound are refused and
 * counted. Times further than 2^62 ns (146 years) from the epoch are refused.
 */
public final class Panes implements AutoCloseable {
    private final NativeAllocator allocator;
    private final PaneShape shape;
    private final long maxBytes;
    private final PaneList open = new PaneList();
    private final SpareTables spare;
    private final Sizes sizes;
    private final WindowClosing closing;
    private final LentBatches batches;
    private final int[][] tablesOfFamily;
    private final long maxTableBytes;

    /**
     * True if panes have no room for the groups of others. A window is then merged in separate
     * memory.
     */
    private final boolean tight;

    /** Null if groups without room are simply left out. */
    private final TopKPanes heavy;

    /** Null if windows do not report what their groups may lack. */
    private final Shortage shortage;

    private final PaneCounts counts = new PaneCounts();
    private Tables current;

    /** True if the current pane is the one of {@link #startNs}. */
    private boolean entered;

    private Tables updated;
    private long startNs;
    private long endNs;
    private long watermarkNs = Long.MIN_VALUE;
    private boolean finished;
    private boolean refusedLate;

    /** True if the refused time is too far from the epoch for any window. */
    private boolean refusedFar;

    private long gateFromNs = Long.MIN_VALUE;
    private long gateUntilNs = Long.MAX_VALUE;

    /** Null for a query that uses no values of an upstream. */
    private BindingTable bindings;

    /** Null for a query that looks nothing up. */
    private TableReaders tables;

    /** True if packets go to the pane of {@link #cameNs} now, whatever their own time. */
    private boolean late;

    private long cameNs;

    public Panes(
            NativeAllocator allocator,
            PaneShape shape,
            long maxBytes,
            Sizes sizes,
            TablesMerge merge) {
        this.sizes = sizes;
        this.allocator = allocator;
        this.shape = shape;
        this.maxBytes = maxBytes;
        spare = new SpareTables(maxBytes);
        batches = new LentBatches(allocator.root());
        tablesOfFamily =
                shape.tablesOfFamily().stream()
                        .map(tables -> tables.stream().mapToInt(Integer::intValue).toArray())
                        .toArray(int[][]::new);
        long used = shape.tablesOfFamily().stream().flatMap(List::stream).distinct().count();
        // If the query has its own allocator, the allocator bounds all tables together.
        boolean bounded = allocator.limitBytes() <= maxBytes;
        heavy = TopKPanes.of(shape, maxBytes);
        maxTableBytes =
                heavy != null
                        ? heavy.maxTableBytes()
                        : bounded ? maxBytes : maxBytes / Math.max(1, used);
        tight = heavy != null || bounded;
        shortage = Shortage.of(open, shape);
        closing = new WindowClosing(open, shape, tight, sizes, merge, shortage);
    }

    /** Returns the least memory of a state that keeps its heaviest groups. */
    public static long leastBytes(PaneShape shape) {
        return TopKPanes.leastBytes(shape);
    }

    /**
     * Makes the pane of this time the current one, and opens it if necessary.
     *
     * @param family 0 for IPv4 or either, 1 for IPv6: selects the tables
     * @return false if it is refused; then {@link #refuse} counts the packets
     */
    public boolean enter(long timeNs, int family) {
        entered = open(timeNs, family);
        return entered;
    }

    private boolean open(long timeNs, int family) {
        long time = shape.clips() ? clipped(late ? cameNs : timeNs) : timeNs;
        if (shape.isTotal()) {
            startNs = 0;
            endNs = Long.MAX_VALUE;
        } else {
            refusedLate = false;
            refusedFar = PaneShape.isFar(time);
            if (refusedFar) {
                return false;
            }
            startNs = shape.paneStart(time);
            endNs = startNs + shape.paneNs();
            if (endNs <= watermarkNs) {
                refusedLate = true;
                return false;
            }
        }
        current = open.find(startNs);
        return (current != null || openPane()) && openTables(family);
    }

    private boolean isFull() {
        return heavy == null && bytes() >= maxBytes;
    }

    /**
     * Returns whether the last entered pane still takes packets and has the family's tables. Then
     * it need not be entered again.
     */
    public boolean resume(int family) {
        return entered
                && current != null
                && endNs > watermarkNs
                && current.has(tablesOfFamily[family]);
    }

    /** Returns the end of the last window with packets of this time, if they are taken. */
    public long lastWindowEndNs(long timeNs) {
        if (shape.isTotal()) {
            return Long.MAX_VALUE;
        }
        long time = shape.clips() ? clipped(timeNs) : timeNs;
        long paneStartNs = shape.paneStart(time);
        return PaneShape.isFar(time) ? time : shape.lastWindowEnd(paneStartNs);
    }

    private long clipped(long timeNs) {
        long notClosed = Math.max(timeNs, watermarkNs);
        return PaneShape.near(notClosed);
    }

    private boolean openPane() {
        // If windows report what their groups lack, a pane is opened even without room.
        if (open.isFull() || shortage == null && isFull()) {
            return false;
        }
        current = spare.take();
        if (current == null) {
            current = new Tables(allocator, shape.tables(), shape.rowBytes(), maxTableBytes, spare);
            shape.creditWord().ifPresent(current::credit);
            if (!tight) {
                current.expect(sizes);
            }
        }
        open.insert(startNs, current);
        return true;
    }

    private boolean openTables(int family) {
        if (shortage != null && !current.has(tablesOfFamily[family]) && isFull()) {
            return false;
        }
        try {
            for (int table : tablesOfFamily[family]) {
                current.open(table);
            }
            return true;
        } catch (WeirException noMemory) {
            return false;
        }
    }

    /** The current pane. */
    public Tables pane() {
        return current;
    }

    /** Returns the batch of the current pane; null if none is lent to it. */
    public Batch batch() {
        return current.batch();
    }

    public boolean areAllLent() {
        return batches.areAllLent();
    }

    /** Lends the current pane a batch with entries of so many bytes. One must be free. */
    public void lend(int entryBytes) {
        batches.lend(current, entryBytes);
    }

    /** Returns the number of batches that are lent. */
    public int lent() {
        return batches.lent();
    }

    /** Returns the pane that has borrowed this batch. */
    public Tables borrower(int number) {
        return batches.borrower(number);
    }

    /** Takes all batches back, once the tables have them. */
    public void takeBack() {
        batches.takeBack();
    }

    /** Prepares a pane's tables to be updated with its batch. */
    public void beginUpdate(Tables pane) {
        if (heavy != null) {
            heavy.makeRoom(pane, pane.batch().entries());
        }
        updated = pane;
    }

    public void endUpdate() {
        updated = null;
    }

    /** The rows of the current pane. */
    public RowBuffer rows() {
        return current.rows();
    }

    /** Start of the current pane. */
    public long startNs() {
        return startNs;
    }

    /** End of the current pane. */
    public long endNs() {
        return endNs;
    }

    public long gateFromNs() {
        return gateFromNs;
    }

    public long gateUntilNs() {
        return gateUntilNs;
    }

    /** Sets the interval of time in which packets count, for the kernel runs that follow. */
    public void gate(long fromNs, long untilNs) {
        gateFromNs = fromNs;
        gateUntilNs = untilNs;
    }

    /** Sets the bindings that kernels look up; the caller's. */
    public void bindings(BindingTable table) {
        bindings = table;
    }

    /** Returns the bindings of a query that uses values of its upstream. */
    public BindingTable bindings() {
        return bindings;
    }

    /** Sets the readers of the tables that kernels look up; the caller's. */
    public void tables(TableReaders readers) {
        tables = readers;
    }

    /** Returns the readers of the tables that the query looks up. */
    public TableReaders tables() {
        return tables;
    }

    /** Counts packets that the last {@link #enter} refused. */
    public void refuse(long count) {
        if (refusedLate) {
            counts.addLate(count);
        } else {
            counts.add(0, 0, count);
            if (shortage != null && !refusedFar) {
                shortage.refused(current, startNs, count);
            }
        }
    }

    /**
     * Counts packets that are left out because they are late.
     *
     * @param future whether their time is from the future
     */
    public void leaveOut(long count, boolean future) {
        counts.add(count, 0, 0);
        if (future) {
            counts.addFuture(count);
        } else {
            counts.addLate(count);
        }
    }

    /** Counts packets at this time, or at the first open one, until {@link #endLate}. */
    public void beginLate(long timeNs) {
        late = true;
        cameNs = timeNs;
        entered = false;
    }

    /** Counts packets at their own time again. */
    public void endLate() {
        late = false;
    }

    /**
     * Counts a kernel's run.
     *
     * @param seen all packets that it was given
     * @param inactive those outside the gate
     * @param full those that found no room
     */
    public void count(long seen, long inactive, long full) {
        counts.add(seen, inactive, full);
        if (full > 0 && shortage != null) {
            shortage.full(updated, startNs, full);
        }
    }

    /** Moves on to the watermark. {@link #closeNext} then closes the windows that end by it. */
    public void advance(long newWatermarkNs) {
        watermarkNs = Math.max(watermarkNs, newWatermarkNs);
    }

    /** Moves on to the end. {@link #closeNext} then closes all windows that are open. */
    public void finish() {
        watermarkNs = Long.MAX_VALUE;
        finished = true;
    }

    /** Closes the next window that has ended, in order. Returns null if there is none. */
    public ClosedPanes closeNext() {
        if (!closing.isDue(watermarkNs, finished)) {
            return null;
        }
        current = null;
        return closing.close();
    }

    /** Returns the counts of packets by outcome. */
    public PaneCounts counts() {
        return counts;
    }

    /** Returns the bytes of native memory of open panes. */
    public long bytes() {
        long bytes = 0;
        for (int p = 0; p < open.size(); p++) {
            bytes += open.pane(p).bytes();
        }
        return bytes;
    }

    @Override
    public void close() {
        for (int p = 0; p < open.size(); p++) {
            open.pane(p).free();
        }
        open.removeFirst(open.size());
        current = null;
        spare.close();
        batches.close();
    }
}
