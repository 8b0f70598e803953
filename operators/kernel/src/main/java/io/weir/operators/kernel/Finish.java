package io.weir.operators.kernel;

import io.weir.operators.graph.Operator;
import io.weir.operators.graph.Query;
import io.weir.operators.kernel.code.Plan;
import io.weir.operators.kernel.code.StateLayout;
import io.weir.operators.map.FlatMap;
import io.weir.operators.memory.Memory;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.rows.RowBatch;
import io.weir.operators.rows.RowLayout;
import io.weir.operators.window.Tables;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Turns a window's groups, or rows, into the rows that are emitted. Stateless; any thread. */
final class Finish {
    private final Query query;

    /** The layout of rows before OVER. */
    private final RowLayout layout;

    private final RowLayout shown;
    private final Optional<OverRows> over;
    private final KeyOrder[] orders;
    private final Finisher[] finishers;
    private final Optional<Operator.Sort> sort;
    private final boolean limits;

    /**
     * @param layout of rows before OVER
     * @param shown the layout of the rows that are emitted
     * @param finishers for the tables of groups; none for a query without aggregates
     */
    Finish(Plan plan, RowLayout layout, RowLayout shown, StateLayout state, Finisher[] finishers) {
        query = plan.query();
        this.layout = layout;
        this.shown = shown;
        over = plan.over().map(part -> new OverRows(query, part, layout, shown));
        orders = orders(state, finishers.length);
        this.finishers = finishers;
        sort = plan.sort();
        limits = plan.aggregate().isPresent();
    }

    /**
     * @param parts of the window; no group is in two of them
     */
    RowBatch finish(
            List<Tables> parts,
            long windowStartNs,
            long windowEndNs,
            RowContext context,
            NativeAllocator allocator) {
        if (!limits) {
            RowBatch rows = rows(parts, windowStartNs, windowEndNs, allocator);
            return shown(rows, context, allocator);
        }
        if (context.bindings().isPresent()) {
            return bound(parts, windowStartNs, windowEndNs, context, allocator);
        }
        Addresses[] kept = new Addresses[finishers.length];
        for (int t = 0; t < finishers.length; t++) {
            kept[t] = new Addresses();
            for (Tables part : parts) {
                keep(part.table(t), finishers[t], windowStartNs, windowEndNs, context, kept[t]);
            }
            kept[t].sortByKeys(orders[t]);
        }
        return groups(kept, windowStartNs, windowEndNs, context, allocator);
    }

    /**
     * Makes the rows of all bindings, one after another in the order in which they woke. Each has
     * its own facts, order and limit. The first word of a group's key is the activation's number.
     */
    private RowBatch bound(
            List<Tables> parts,
            long windowStartNs,
            long windowEndNs,
            RowContext context,
            NativeAllocator allocator) {
        BindingRuns runs = new BindingRuns(finishers.length);
        for (int t = 0; t < finishers.length; t++) {
            for (Tables part : parts) {
                runs.add(part.table(t), t, orders[t]);
            }
        }
        List<RowBatch> batches = new ArrayList<>();
        boolean partial = false;
        try {
            for (long id : runs.ids()) {
                RowContext own = context.of(id, windowStartNs, windowEndNs);
                Addresses[] kept = runs.kept(id, finishers, windowStartNs, windowEndNs, own);
                RowBatch batch = groups(kept, windowStartNs, windowEndNs, own, allocator);
                batches.add(batch);
                context.bindings().orElseThrow().made(id, batch.rows());
                partial |= own.isPartial() && batch.rows() > 0;
            }
            RowBatch all = joined(batches, windowStartNs, windowEndNs, allocator);
            all.partial(partial);
            return all;
        } finally {
            batches.forEach(RowBatch::close);
        }
    }

    private RowBatch joined(
            List<RowBatch> batches, long start, long end, NativeAllocator allocator) {
        int rows = batches.stream().mapToInt(RowBatch::rows).sum();
        RowBatch all = new RowBatch(query, shown, start, end, rows, allocator);
        int row = 0;
        for (RowBatch batch : batches) {
            if (batch.rows() > 0) {
                long bytes = (long) batch.rows() * shown.strideBytes();
                Memory.copy(batch.address(0), all.address(row), bytes);
                all.texts().keep(batch.texts());
                row += batch.rows();
            }
        }
        return all;
    }

    /**
     * @param listed groups of the window that this query may want, and others
     * @param threshold the least value of the figure that the query wants
     */
    RowBatch finish(
            Shortlist listed,
            Threshold threshold,
            long windowStartNs,
            long windowEndNs,
            RowContext context,
            NativeAllocator allocator) {
        Addresses[] kept = new Addresses[finishers.length];
        for (int t = 0; t < finishers.length; t++) {
            kept[t] = new Addresses();
            for (long entry : listed.passing(threshold, t)) {
                if (finishers[t].keeps(entry, windowStartNs, windowEndNs, context)) {
                    kept[t].add(entry);
                }
            }
        }
        return groups(kept, windowStartNs, windowEndNs, context, allocator);
    }

    /** Returns the order of the groups of each table. */
    KeyOrder[] orders() {
        return orders.clone();
    }

    private static KeyOrder[] orders(StateLayout state, int tables) {
        KeyOrder[] orders = new KeyOrder[tables];
        for (int t = 0; t < tables; t++) {
            orders[t] = new KeyOrder(state.table(t).keyWords(), state.keyFields(t));
        }
        return orders;
    }

    private RowBatch groups(
            Addresses[] kept, long start, long end, RowContext context, NativeAllocator memory) {
        int total = 0;
        for (Addresses some : kept) {
            total += some.count();
        }
        RowBatch batch = new RowBatch(query, layout, start, end, total, memory);
        int row = 0;
        for (int t = 0; t < finishers.length; t++) {
            for (int i = 0; i < kept[t].count(); i++) {
                long at = batch.address(row++);
                finishers[t].write(kept[t].at(i), at, batch.texts(), start, end, context);
            }
        }
        return shown(batch, context, memory);
    }

    /** Returns the rows with the columns of OVER, in their order and to LIMIT. */
    private RowBatch shown(RowBatch rows, RowContext context, NativeAllocator memory) {
        RowBatch all = over.isPresent() ? over.get().shown(rows, context, memory) : rows;
        return sort.isPresent() ? sorted(all, memory) : all;
    }

    /** Adds the entries of the groups that meet HAVING. */
    private static void keep(
            FlatMap groups,
            Finisher finisher,
            long start,
            long end,
            RowContext context,
            Addresses kept) {
        long entry = groups == null ? 0 : groups.firstEntry();
        for (; entry != 0; entry = groups.nextEntry(entry)) {
            if (finisher.keeps(entry, start, end, context)) {
                kept.add(entry);
            }
        }
    }

    private RowBatch rows(List<Tables> parts, long start, long end, NativeAllocator allocator) {
        Addresses held = new Addresses();
        for (Tables part : parts) {
            for (long r = 0; r < part.rows().rows(); r++) {
                held.add(part.rows().address(r));
            }
        }
        held.sort(RowOrder.canonical(layout));
        RowBatch batch = new RowBatch(query, layout, start, end, held.count(), allocator);
        for (int r = 0; r < held.count(); r++) {
            Memory.copy(held.at(r) + Long.BYTES, batch.address(r), layout.strideBytes());
        }
        parts.forEach(part -> batch.texts().keep(part.rows().texts()));
        return batch;
    }

    /** Sorts the rows and cuts them to LIMIT. The batch now belongs to this method. */
    private RowBatch sorted(RowBatch rows, NativeAllocator allocator) {
        Addresses all = new Addresses();
        for (int r = 0; r < rows.rows(); r++) {
            all.add(rows.address(r));
        }
        Operator.Sort order = sort.orElseThrow();
        long offset = limits ? order.offset() : 0;
        long limit = limits ? order.limit().orElse(Long.MAX_VALUE) : Long.MAX_VALUE;
        long most = limit > Long.MAX_VALUE - offset ? Long.MAX_VALUE : offset + limit;
        all.sort(RowOrder.by(order.orders(), shown), most);
        int from = (int) Math.min(offset, all.count());
        int count = (int) Math.min(limit, all.count() - from);
        RowBatch batch =
                new RowBatch(
                        query, shown, rows.windowStartNs(), rows.windowEndNs(), count, allocator);
        for (int r = 0; r < count; r++) {
            Memory.copy(all.at(from + r), batch.address(r), shown.strideBytes());
        }
        batch.texts().keep(rows.texts());
        rows.close();
        return batch;
    }
}
