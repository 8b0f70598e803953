package io.weir.operators.kernel;

import io.weir.operators.gpv.BlockLayout;
import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.graph.LookupTable;
import io.weir.operators.kernel.code.Plan;
import io.weir.operators.map.FlatMap;
import io.weir.operators.map.FlatMap1;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.rows.RowBatch;
import io.weir.operators.rows.RowLayout;
import io.weir.operators.table.TableReaders;
import io.weir.operators.window.ClosedPanes;
import io.weir.operators.window.PaneShape;
import io.weir.operators.window.Panes;
import io.weir.operators.window.Sizes;
import io.weir.operators.window.Tables;
import java.util.List;
import java.util.function.Consumer;

/** The open windows of one query activation on one pipeline. Owned by that pipeline's thread. */
public final class QueryState implements AutoCloseable {
    /** Rows that run at a time, if there is room for all their texts. */
    private static final int SLICE_ROWS = 4096;

    private final Plan plan;
    private final int textsPerRow;
    private final KernelSet kernels;
    private final ActiveInterval gate;
    private final Panes panes;
    private final boolean windowed;
    private final boolean total;
    private final boolean gated;

    /** Null for a query that uses no values of an upstream. */
    private final BindingFeed.Follower bindings;

    /** Null for a query that looks nothing up. */
    private final TableReaders tables;

    private Kernel rowKernel;
    private RowLayout rowsRead;
    private boolean finished;

    QueryState(
            Plan plan,
            KernelSet kernels,
            PaneShape shape,
            ActiveInterval gate,
            StateOptions options,
            NativeAllocator allocator,
            Sizes sizes,
            GroupMerge merge) {
        this.plan = plan;
        textsPerRow = plan.textsPerRow();
        this.kernels = kernels;
        this.gate = gate;
        windowed = plan.hasWindow();
        total = shape.sizeNs() == 0;
        gated = plan.hasWhen();
        panes = new Panes(allocator, shape, options.maxBytes(), sizes, merge);
        bindings = gate.bindings().map(feed -> feed.follow(allocator.root())).orElse(null);
        panes.bindings(bindings == null ? null : bindings.table());
        List<LookupTable> read = plan.tables();
        tables = read.isEmpty() ? null : new TableReaders(read, allocator.root());
        panes.tables(tables);
    }

    /**
     * Runs the query over a segment of a block.
     *
     * @param flags the segment's, of {@link BlockLayout}
     * @param nodeSymbol the block's node
     * @param address of the first GPV
     */
    public void segment(int layoutId, int flags, int nodeSymbol, long address, int gpvs) {
        segment(layoutId, flags, nodeSymbol, address, gpvs, Long.MIN_VALUE);
    }

    /**
     * Runs the query over a segment that may be late.
     *
     * @param cameNs for packets that windows leave out: the newest time of their source when they
     *     came. Totals and rows count them at that time, or at a later one that is open
     */
    public void segment(
            int layoutId, int flags, int nodeSymbol, long address, int gpvs, long cameNs) {
        if ((flags & BlockLayout.SEGMENT_FLAG_LATE) == 0) {
            run(layoutId, nodeSymbol, address, gpvs);
        } else if (windowed) {
            boolean future = (flags & BlockLayout.SEGMENT_FLAG_FUTURE) != 0;
            panes.leaveOut(packetsIn(layoutId, address, gpvs), future);
        } else {
            panes.beginLate(cameNs);
            run(layoutId, nodeSymbol, address, gpvs);
            panes.endLate();
        }
    }

    private void run(int layoutId, int nodeSymbol, long address, int gpvs) {
        Kernel kernel = kernels.of(layoutId);
        if (kernel == null) {
            String layout = GpvLayout.all().get(layoutId).name();
            throw new IllegalStateException("no kernel was compiled for layout " + layout);
        }
        openGate();
        if (total && !enterTotal(layoutId)) {
            long packets = packetsIn(layoutId, address, gpvs);
            panes.count(packets, 0, packets);
            return;
        }
        long packets = textsPerRow == 0 ? 0 : packetsIn(layoutId, address, gpvs);
        if (hasRoomForTexts(packets)) {
            kernel.run(panes, address, gpvs, nodeSymbol, 0);
        } else {
            panes.count(packets, 0, packets);
        }
    }

    /** Packets and rows without room for their texts are left out, as those without memory are. */
    private boolean hasRoomForTexts(long rows) {
        return textsPerRow == 0 || kernels.roomForTexts() >= rows * textsPerRow;
    }

    private boolean enterTotal(int layoutId) {
        int tables = GpvLayout.all().get(layoutId).tables();
        return panes.resume(tables) || panes.enter(0, tables);
    }

    private static long packetsIn(int layoutId, long address, int gpvs) {
        return PacketCount.of(GpvLayout.all().get(layoutId), address, gpvs);
    }

    /** Makes the tables of the last entered pane larger than this, as many groups would. */
    void enlarge(long bytes) {
        Tables pane = panes.pane();
        for (int t = 0; pane != null && t < pane.count(); t++) {
            FlatMap table = pane.table(t);
            long before = 0;
            while (table != null && table.bytes() <= bytes && table.bytes() > before) {
                before = table.bytes();
                table.makeRoom(table.fullAt());
            }
        }
    }

    private void openGate() {
        if (gated) {
            panes.gate(gate.fromNs(), gate.untilNs());
        }
        if (bindings != null) {
            bindings.follow();
        }
        if (tables != null) {
            tables.follow();
        }
    }

    /** Runs the query over another query's rows; the batch stays the caller's. */
    public void rows(RowBatch batch) {
        if (batch.rows() == 0) {
            return;
        }
        if (rowKernel == null || rowsRead != batch.layout()) {
            rowsRead = batch.layout();
            rowKernel = kernels.of(rowsRead);
        }
        openGate();
        if (total && !panes.enter(0, 0)) {
            panes.count(batch.rows(), 0, batch.rows());
            return;
        }
        for (int from = 0; from < batch.rows(); from += SLICE_ROWS) {
            int rows = Math.min(SLICE_ROWS, batch.rows() - from);
            if (hasRoomForTexts(rows)) {
                rowKernel.run(panes, batch.address(from), rows, 0, batch.windowEndNs());
            } else {
                panes.count(rows, 0, rows);
            }
        }
    }

    /**
     * Returns the end of the last window that has rows of this time; MAX_VALUE at the end of all.
     */
    public long lastWindowEndNs(long timeNs) {
        return panes.lastWindowEndNs(timeNs);
    }

    /** Moves on to the watermark. {@link #nextWindow} then returns the windows that end by it. */
    public void advance(long watermarkNs) {
        panes.advance(watermarkNs);
    }

    /**
     * Returns the next window that has ended and has something to tell, in order. The caller asks
     * until there is none: then this returns null.
     */
    public PartialWindow nextWindow() {
        for (ClosedPanes next = panes.closeNext(); next != null; next = panes.closeNext()) {
            Tables tables = next.tables();
            long lost = next.groupsLost();
            boolean told = lost > 0 || tables.leftOut().isUnknown() || tables.leftOut().lacks();
            if (Partial.groupsOf(tables) > 0 || told) {
                Partial groups = new Partial(tables);
                groups.lost(lost);
                return new PartialWindow(next.startNs(), next.endNs(), groups);
            }
            tables.close();
        }
        return null;
    }

    /** Gives all windows that have ended to the taker. */
    public void eachWindow(Consumer<PartialWindow> taker) {
        for (PartialWindow next = nextWindow(); next != null; next = nextWindow()) {
            taker.accept(next);
        }
    }

    /**
     * Ends all open windows, at the end of the input or of the activation; {@link #nextWindow} then
     * returns them. A total without keys has one group even if no packet came. A second call does
     * nothing.
     */
    public void finish() {
        if (finished) {
            return;
        }
        finished = true;
        if (total && plan.keys().isEmpty() && panes.enter(0, 0)) {
            ((FlatMap1) panes.pane().table(0)).findAlone(0);
        }
        panes.finish();
    }

    /** Native memory of its open windows. */
    public long bytes() {
        return panes.bytes();
    }

    /** Packets (or rows) that ran through the query, whether or not its filter took them. */
    public long packetsProcessed() {
        return panes.counts().processed();
    }

    /** Packets left out because they or their window were too late. */
    public long packetsLate() {
        return panes.counts().late();
    }

    /** Packets left out because their time stamps are from the future. */
    public long packetsFuture() {
        return panes.counts().future();
    }

    /** Packets lost because the state's bound was reached. */
    public long packetsStateFull() {
        return panes.counts().full();
    }

    /** Packets outside the gate. */
    public long packetsInactive() {
        return panes.counts().inactive();
    }

    public long stateBytes() {
        return panes.bytes();
    }

    /** Frees the open windows without a result. */
    @Override
    public void close() {
        panes.close();
        if (bindings != null) {
            bindings.close();
        }
        if (tables != null) {
            tables.close();
        }
    }
}
