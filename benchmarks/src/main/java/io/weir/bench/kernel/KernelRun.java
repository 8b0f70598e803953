package io.weir.bench.kernel;

import io.weir.bench.ResultHash;
import io.weir.bench.ResultHash.Answer;
import io.weir.bench.generate.GpvTrace;
import io.weir.bench.kernel.Work.State;
import io.weir.operators.gpv.BlockCursor;
import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.graph.Query;
import io.weir.operators.kernel.ActiveInterval;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.kernel.KernelCompiler;
import io.weir.operators.kernel.Partial;
import io.weir.operators.kernel.PartialWindow;
import io.weir.operators.kernel.QueryState;
import io.weir.operators.kernel.RowContext;
import io.weir.operators.kernel.StateOptions;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.rows.RowBatch;
import io.weir.operators.window.Sizes;
import java.util.function.Consumer;

/**
 * Runs a query's kernels over a trace in memory, as a pipeline does: every segment of a block, then
 * its watermark. One thread.
 *
 * <p>A pass ends when the last window has left the kernel. Making rows from a window's groups is
 * not part of a pass. Only {@link #check} does it, and reads every row.
 */
public final class KernelRun implements AutoCloseable {
    private static final long MOST_BYTES = 16L << 30;
    private static final StateOptions OPTIONS = new StateOptions(8L << 30, 0);

    private final NativeAllocator allocator = new NativeAllocator(MOST_BYTES);
    private final GpvTrace trace;
    private final CompiledQuery query;
    private final State when;
    private final BlockCursor cursor = new BlockCursor(true);

    /** Made once, so that a pass allocates nothing. */
    private final Consumer<PartialWindow> taker = this::take;

    private Sizes sizes = new Sizes();
    private QueryState state;
    private ResultHash hash;
    private long passes;

    /** Compiles the query for both families of the trace's layout. */
    public KernelRun(Query query, String layoutName, State when, GpvTrace trace) {
        this.when = when;
        this.trace = trace;
        this.query =
                KernelCompiler.compile(
                        query,
                        GpvLayout.all().stream()
                                .filter(layout -> layout.name().equals(layoutName))
                                .toList());
    }

    /** Packets of a pass. */
    public long packets() {
        return trace.packets();
    }

    /** Frees the tables of the last pass, if the next one must have its own. */
    public void prepare() {
        if (when != State.WARM) {
            closeState();
        }
    }

    /** Runs over the whole trace once more. */
    public void pass() {
        if (state == null) {
            sizes = when == State.FIRST ? new Sizes() : sizes;
            state = query.newState(allocator, new ActiveInterval(), OPTIONS, sizes);
            passes = 0;
        }
        for (int block = 0; block < trace.blocks(); block++) {
            block(block);
        }
        passes++;
        if (when != State.WARM) {
            finish();
        }
    }

    private void block(int block) {
        cursor.wrap(trace.blockAddress(block), GpvTrace.BLOCK_BYTES);
        while (cursor.nextSegment()) {
            state.segment(
                    cursor.layoutId(),
                    cursor.segmentFlags(),
                    cursor.nodeSymbol(),
                    cursor.gpvsAddress(),
                    cursor.gpvs());
        }
        state.advance(cursor.watermarkNs());
        state.eachWindow(taker);
    }

    private void finish() {
        state.finish();
        state.eachWindow(taker);
    }

    /**
     * Returns all rows: of a new pass, or of the totals over all passes so far, which ends them.
     *
     * @throws IllegalStateException packets are missing
     */
    public Answer check() {
        prepare();
        hash = new ResultHash();
        if (when == State.WARM) {
            finish();
        } else {
            pass();
        }
        if (state.packetsProcessed() != passes * trace.packets() || lost() != 0) {
            throw new IllegalStateException(
                    state.packetsProcessed() + " packets processed, " + lost() + " lost");
        }
        closeState();
        Answer answer = hash.answer();
        hash = null;
        return answer;
    }

    private long lost() {
        return state.packetsLate() + state.packetsStateFull() + state.packetsInactive();
    }

    private void take(PartialWindow window) {
        Partial partial = window.groups();
        if (hash != null) {
            try (RowBatch rows =
                    query.finish(
                            partial,
                            window.startNs(),
                            window.endNs(),
                            RowContext.WHOLE,
                            allocator)) {
                hash.add(rows);
            }
        }
        partial.close();
    }

    private void closeState() {
        if (state != null) {
            state.close();
            state = null;
        }
    }

    @Override
    public void close() {
        closeState();
        allocator.close();
    }
}
