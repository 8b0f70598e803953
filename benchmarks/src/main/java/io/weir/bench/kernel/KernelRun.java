package io.weir.bench.kernel;

import io.weir.bench.PerSource;
import io.weir.bench.ResultHash;
import io.weir.bench.SourceTotals;
import io.weir.bench.generate.GpvTrace;
import io.weir.bench.generate.TrafficShape;
import io.weir.operators.gpv.BlockCursor;
import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.kernel.Gate;
import io.weir.operators.kernel.KernelCompiler;
import io.weir.operators.kernel.Partial;
import io.weir.operators.kernel.QueryState;
import io.weir.operators.kernel.RowContext;
import io.weir.operators.kernel.StateOptions;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.result.RowBatch;
import java.util.List;

/**
 * The measured query on a trace in memory: packets and bytes per source. One thread.
 *
 * <p>What is measured is the kernel alone; {@link #check} then looks at every row.
 */
public final class KernelRun implements AutoCloseable {
    private static final long MOST_BYTES = 16L << 30;
    private static final StateOptions OPTIONS = new StateOptions(4L << 30, 0);

    private final NativeAllocator allocator = new NativeAllocator(MOST_BYTES);
    private final TrafficShape shape;
    private final GpvTrace trace;
    private final CompiledQuery query;
    private final BlockCursor cursor = new BlockCursor(true);
    private QueryState state;
    private Partial result;
    private int nextBlock;
    private long passes;

    /**
     * Makes the trace and the kernels, and an empty state.
     *
     * @param layoutName {@code flow32} or {@code full}
     */
    public KernelRun(TrafficShape shape, String layoutName) {
        this.shape = shape;
        trace = GpvTrace.generate(shape, layoutName, allocator);
        List<GpvLayout> layouts =
                List.of(
                        GpvLayout.of(layoutName, 4).orElseThrow(),
                        GpvLayout.of(layoutName, 6).orElseThrow());
        query = KernelCompiler.compile(PerSource.query(), layouts);
        renew();
    }

    /** An empty state in place of the one there is. */
    public void renew() {
        closeState();
        state = query.newState(allocator, new Gate(), OPTIONS, this::take);
        nextBlock = 0;
        passes = 0;
    }

    /**
     * Runs the kernel over the next block; after the last comes the first again.
     *
     * @return its packets
     */
    public int block() {
        cursor.wrap(trace.blockAddress(nextBlock), GpvTrace.BLOCK_BYTES);
        while (cursor.nextSegment()) {
            state.segment(
                    cursor.layoutId(),
                    cursor.segmentFlags(),
                    cursor.nodeSymbol(),
                    cursor.gpvsAddress(),
                    cursor.gpvs());
        }
        nextBlock++;
        if (nextBlock == trace.blocks()) {
            nextBlock = 0;
            passes++;
        }
        return cursor.packets();
    }

    /**
     * Runs the kernel over all the blocks that are left of a pass.
     *
     * @return their packets
     */
    public long pass() {
        long packets = 0;
        do {
            packets += block();
        } while (nextBlock != 0);
        return packets;
    }

    /** Ends the input: the groups leave the state. */
    public void finish() {
        state.finish();
    }

    /**
     * Completes the pass that is under way, ends the input, and compares each row with the
     * oracle's.
     *
     * @return the hash of the rows of one pass
     * @throws IllegalStateException the result is wrong
     */
    public long check() {
        while (nextBlock != 0) {
            block();
        }
        finish();
        ResultHash hash = new ResultHash();
        if (result != null) {
            try (RowBatch rows =
                    query.finish(
                            result, Long.MIN_VALUE, Long.MAX_VALUE, RowContext.WHOLE, allocator)) {
                PerSource.hash(rows, passes, hash);
            }
        }
        ResultHash expected = SourceTotals.of(shape).hash(1);
        if (expected.value() != hash.value() || expected.groups() != hash.groups()) {
            throw new IllegalStateException(
                    String.format(
                            "wrong result: %d groups with hash %016x, not %d with %016x",
                            hash.groups(), hash.value(), expected.groups(), expected.value()));
        }
        return hash.value();
    }

    private void take(QueryState from, long startNs, long endNs, Partial partial) {
        result = partial;
    }

    private void closeState() {
        if (result != null) {
            result.close();
            result = null;
        }
        if (state != null) {
            state.close();
            state = null;
        }
    }

    @Override
    public void close() {
        closeState();
        trace.close();
        allocator.close();
    }
}
