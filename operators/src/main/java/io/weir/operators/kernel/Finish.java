package io.weir.operators.kernel;

import io.weir.operators.graph.Operator;
import io.weir.operators.graph.Query;
import io.weir.operators.kernel.code.Plan;
import io.weir.operators.kernel.code.StateLayout;
import io.weir.operators.map.FlatMap;
import io.weir.operators.memory.Memory;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.result.RowBatch;
import io.weir.operators.result.RowLayout;
import io.weir.operators.window.RowBuffer;
import io.weir.operators.window.Tables;
import java.util.Arrays;
import java.util.Optional;

/** From a window's groups, or rows, to the rows that are emitted. Stateless; any thread. */
final class Finish {
    private final Query query;
    private final RowLayout layout;
    private final StateLayout state;
    private final Finisher[] finishers;
    private final Optional<Operator.Sort> sort;
    private final boolean limits;

    /**
     * @param finishers for the tables of groups; none for a query without aggregates
     */
    Finish(Plan plan, RowLayout layout, StateLayout state, Finisher[] finishers) {
        query = plan.query();
        this.layout = layout;
        this.state = state;
        this.finishers = finishers;
        sort = plan.sort();
        limits = plan.aggregate().isPresent();
    }

    RowBatch finish(
            Tables tables,
            long windowStartNs,
            long windowEndNs,
            RowContext context,
            NativeAllocator allocator) {
        RowBatch rows =
                tables.rows() == null
                        ? groups(tables, windowStartNs, windowEndNs, context, allocator)
                        : rows(tables.rows(), windowStartNs, windowEndNs, allocator);
        return sort.isPresent() ? sorted(rows, allocator) : rows;
    }

    private RowBatch groups(
            Tables tables, long start, long end, RowContext context, NativeAllocator allocator) {
        long[][] kept = new long[finishers.length][];
        int total = 0;
        for (int t = 0; t < finishers.length; t++) {
            kept[t] = kept(tables.table(t), finishers[t], start, end, context);
            int words = state.table(t).keyWords();
            AddressSort.sort(kept[t], kept[t].length, (a, b) -> RowOrder.words(a, b, words));
            total += kept[t].length;
        }
        RowBatch batch = new RowBatch(query, layout, start, end, total, allocator);
        int row = 0;
        for (int t = 0; t < finishers.length; t++) {
            for (long entry : kept[t]) {
                finishers[t].write(entry, batch.address(row++), start, end, context);
            }
        }
        return batch;
    }

    /** Entries of the groups that meet HAVING. */
    private static long[] kept(
            FlatMap groups, Finisher finisher, long start, long end, RowContext context) {
        if (groups == null) {
            return new long[0];
        }
        long[] kept = new long[16];
        int count = 0;
        for (long entry = groups.firstEntry(); entry != 0; entry = groups.nextEntry(entry)) {
            if (finisher.keeps(entry, start, end, context)) {
                if (count == kept.length) {
                    kept = Arrays.copyOf(kept, count * 2);
                }
                kept[count++] = entry;
            }
        }
        return Arrays.copyOf(kept, count);
    }

    private RowBatch rows(RowBuffer buffer, long start, long end, NativeAllocator allocator) {
        long[] addresses = new long[Math.toIntExact(buffer.rows())];
        for (int r = 0; r < addresses.length; r++) {
            addresses[r] = buffer.address(r);
        }
        AddressSort.sort(addresses, addresses.length, RowOrder.canonical(layout));
        RowBatch batch = new RowBatch(query, layout, start, end, addresses.length, allocator);
        for (int r = 0; r < addresses.length; r++) {
            Memory.copy(addresses[r] + Long.BYTES, batch.address(r), layout.strideBytes());
        }
        return batch;
    }

    /** Sorts, and cuts to LIMIT; takes the batch over. */
    private RowBatch sorted(RowBatch rows, NativeAllocator allocator) {
        long[] addresses = new long[rows.rows()];
        for (int r = 0; r < addresses.length; r++) {
            addresses[r] = rows.address(r);
        }
        Operator.Sort order = sort.orElseThrow();
        AddressSort.sort(addresses, addresses.length, RowOrder.by(order.orders(), layout));
        long offset = limits ? order.offset() : 0;
        int from = (int) Math.min(offset, addresses.length);
        long limit = limits ? order.limit().orElse(Long.MAX_VALUE) : Long.MAX_VALUE;
        int count = (int) Math.min(limit, addresses.length - from);
        RowBatch batch =
                new RowBatch(
                        query, layout, rows.windowStartNs(), rows.windowEndNs(), count, allocator);
        for (int r = 0; r < count; r++) {
            Memory.copy(addresses[from + r], batch.address(r), layout.strideBytes());
        }
        rows.close();
        return batch;
    }
}
