package io.weir.operators.kernel;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Operator;
import io.weir.operators.graph.Query;
import io.weir.operators.kernel.RunningTotals.Adding;
import io.weir.operators.kernel.code.GeneratedSource;
import io.weir.operators.kernel.code.KernelCode;
import io.weir.operators.kernel.code.Plan;
import io.weir.operators.kernel.code.StateLayout;
import io.weir.operators.map.Credits;
import io.weir.operators.map.LightestEviction;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.rows.RowBatch;
import io.weir.operators.rows.RowLayout;
import io.weir.operators.window.LeftOutPackets;
import io.weir.operators.window.Panes;
import io.weir.operators.window.Sizes;
import io.weir.operators.window.Tables;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** A query and its generated classes. Immutable; any thread. */
public final class CompiledQuery {
    private final Plan plan;
    private final RowLayout madeLayout;
    private final RowLayout rowLayout;
    private final StateLayout state;
    private final List<GpvLayout> layouts;
    private final PaneShapes shapes;
    private final KernelSet kernels;
    private KernelSet tickingKernels;
    private final GroupMerge merge;
    private final Finish finish;
    private final Optional<Threshold> threshold;
    private final Optional<LightestEviction> lightest;
    private final WideSums wideSums;
    private final RowLayout combined;

    CompiledQuery(Plan plan, List<GpvLayout> layouts) {
        this.plan = plan;
        this.layouts = List.copyOf(layouts);
        QuerySources sources = QuerySources.of(plan);
        madeLayout = sources.rows();
        rowLayout =
                plan.over().isPresent()
                        ? new RowLayout(plan.query().columns(), madeLayout.strings())
                        : madeLayout;
        state = sources.state();
        shapes = sources.shapes();
        boolean groups = plan.aggregate().isPresent();
        Finisher[] finishers =
                sources.finishers().stream()
                        .map(source -> instance(source, Finisher.class))
                        .toArray(Finisher[]::new);
        Merger merger = sources.merger().map(source -> instance(source, Merger.class)).orElse(null);
        lightest = shapes.lightest();
        wideSums = new WideSums(plan, state);
        merge = new GroupMerge(state, merger, plan.isMergeable(), lightest);
        finish = new Finish(plan, madeLayout, rowLayout, state, finishers);
        kernels = new KernelSet(plan, state, this.layouts, shapes.arePaned(), rowLayout.strings());
        threshold = groups ? Threshold.of(plan, state) : Optional.empty();
        combined = new RowLayout(plan.query().scan().columns());
    }

    /** Returns the layout of the rows that a scan of several queries makes for this one. */
    public RowLayout combinedLayout() {
        return combined;
    }

    /** Compiles a condition over the rows that its scan makes of several queries. */
    public RowPredicate combinedPredicate(Expr condition) {
        return new RowCondition(condition, combined);
    }

    private <T> T instance(GeneratedSource source, Class<T> type) {
        rowLayout.strings().keep(source.symbols());
        return GeneratedClasses.instance(source, type);
    }

    public Query query() {
        return plan.query();
    }

    /** Makes the memory of OVER for rows of earlier windows; empty if it needs none. */
    public Optional<OverHistory> newHistory(NativeAllocator allocator) {
        return plan.over()
                .map(Plan.OverPart::columns)
                .filter(Operator.Over::hasHistory)
                .map(over -> new OverHistory(query(), over, madeLayout, allocator));
    }

    /** Returns the layout of the rows that it emits. */
    public RowLayout rowLayout() {
        return rowLayout;
    }

    /** Returns the layout of the rows that a query without aggregates holds. */
    public RowLayout heldLayout() {
        return madeLayout;
    }

    /** Returns the layout of a group's state. It is empty for a query without aggregates. */
    public StateLayout stateLayout() {
        return state;
    }

    /** Returns the layouts that the sources emit. The query has a kernel for each. */
    public List<GpvLayout> layouts() {
        return layouts;
    }

    /** The generated class for one layout, with its literals: EXPLAIN (KERNEL). */
    public String source(GpvLayout layout) {
        return KernelCode.of(plan, state, layout, shapes.arePaned()).shown();
    }

    /** The class of a query over rows. */
    public String source(RowLayout rows) {
        return KernelCode.of(plan, state, rows, shapes.arePaned()).shown();
    }

    /** Compiles the kernel of a query over rows now. Otherwise the first rows wait for it. */
    public void prepareFor(RowLayout rows) {
        kernels.of(rows);
        if (!shapes.arePaned()) {
            tickingKernels().of(rows);
        }
    }

    /** Returns the kernels that run over packets, for a state with or without ticks. */
    List<Kernel> kernels(long tickNs) {
        return (tickNs > 0 && !shapes.arePaned() ? tickingKernels() : kernels).kernels();
    }

    Plan plan() {
        return plan;
    }

    GroupMerge groupMerge() {
        return merge;
    }

    /** Makes the state of one activation on one pipeline, without any experience of its groups. */
    public QueryState newState(
            NativeAllocator allocator, ActiveInterval gate, StateOptions options) {
        return newState(allocator, gate, options, new Sizes());
    }

    /**
     * Makes the state of one activation on one pipeline.
     *
     * @param sizes table sizes that earlier activations have learned there; this one adds to them
     */
    public QueryState newState(
            NativeAllocator allocator, ActiveInterval gate, StateOptions options, Sizes sizes) {
        boolean ticks = options.tickNs() > 0 && !shapes.arePaned();
        if (ticks && !plan.isMergeable()) {
            throw new WeirException(
                    ErrorCode.NOT_SUPPORTED,
                    "query " + query().name() + ": EMIT EVERY with a fold that cannot be merged",
                    "give the query a window");
        }
        if (ticks && lightest.isPresent()) {
            throw new WeirException(
                    ErrorCode.NOT_SUPPORTED,
                    "query " + query().name() + ": EMIT EVERY with on_overflow = 'topk'",
                    "give the query a window");
        }
        if (ticks && shapes.creditWord().isPresent()) {
            throw new WeirException(
                    ErrorCode.NOT_SUPPORTED,
                    "query " + query().name() + ": undercount of totals that come by ticks",
                    "give the query a window");
        }
        KernelSet used = ticks ? tickingKernels() : kernels;
        return new QueryState(
                plan, used, shapes.of(options), gate, options, allocator, sizes, merge);
    }

    private synchronized KernelSet tickingKernels() {
        if (tickingKernels == null) {
            tickingKernels = new KernelSet(plan, state, layouts, true, rowLayout.strings());
        }
        return tickingKernels;
    }

    /** Returns the least memory of a state that keeps its heaviest groups; 0 for others. */
    public long leastStateBytes(StateOptions options) {
        return lightest.isPresent() ? Panes.leastBytes(shapes.of(options)) : 0;
    }

    /**
     * Returns the account of the groups that were left out of a window. It is empty for a query
     * that keeps all groups. The parts of the window have no group in common. After the call all
     * parts have the same floor.
     */
    public Optional<TopKAccount> kept(List<Partial> parts) {
        return lightest.map(how -> kept(parts, how));
    }

    /**
     * Returns the most that any group of a window may lack because packets found no room. It is
     * {@link RowContext#UNKNOWN} if nobody knows, and 0 for a query that does not report it. The
     * parts are as in {@link #kept}; after the call all have the same floor.
     */
    public long leftOutMost(List<Partial> parts) {
        if (shapes.creditWord().isEmpty()) {
            return 0;
        }
        long floor = most(parts);
        boolean unknown = false;
        for (Partial part : parts) {
            Tables tables = part.tables();
            for (int t = 0; t < Math.min(2, tables.count()); t++) {
                if (tables.table(t) != null) {
                    long rise = floor - tables.leftOut().floor(t);
                    Credits.add(tables.table(t), shapes.creditWord().getAsInt(), rise);
                }
            }
            tables.leftOut().raise(floor);
            unknown |= tables.leftOut().isUnknown();
        }
        return unknown ? RowContext.UNKNOWN : floor;
    }

    /**
     * Counts the sums of a window's groups, or of totals, that have left 64 bits. The parts are as
     * in {@link #kept}.
     */
    public long sumsBeyond(List<Partial> parts) {
        return wideSums.beyond(parts);
    }

    private static long most(List<Partial> parts) {
        return parts.stream().mapToLong(p -> p.tables().leftOut().most()).max().orElse(0);
    }

    private static TopKAccount kept(List<Partial> parts, LightestEviction how) {
        long floor = most(parts);
        boolean unknown = false;
        long packetsGone = 0;
        long withoutRoom = 0;
        long packetsKept = 0;
        for (Partial part : parts) {
            Tables tables = part.tables();
            LeftOutPackets left = tables.leftOut();
            for (int t = 0; t < tables.count(); t++) {
                if (tables.table(t) != null) {
                    how.creditAll(tables.table(t), floor - left.floor(t));
                    packetsKept += how.packetsOf(tables.table(t));
                }
            }
            left.raise(floor);
            packetsGone += left.packets();
            withoutRoom += left.withoutRoom();
            unknown |= left.isUnknown() || part.groupsLost() > 0;
        }
        long most = unknown ? RowContext.UNKNOWN : floor;
        return new TopKAccount(most, packetsGone, withoutRoom, packetsKept);
    }

    /** Totals of one activation with ticks, after the merge. */
    public RunningTotals newTotals(NativeAllocator allocator, StateOptions options) {
        boolean keysOnly = plan.folds().isEmpty();
        return totals(allocator, options, keysOnly ? Adding.NEW_KEYS : Adding.CHANGES);
    }

    /**
     * Makes the totals of an activation whose ticks already bring the new totals of changed groups.
     */
    public RunningTotals newTable(NativeAllocator allocator, StateOptions options) {
        return totals(allocator, options, Adding.NEW_TOTALS);
    }

    private RunningTotals totals(NativeAllocator memory, StateOptions options, Adding adding) {
        return new RunningTotals(
                () -> new Tables(memory, shapes.tables(), 0, options.maxBytes()), merge, adding);
    }

    /**
     * Makes the limit that the result stage applies to the finished rows of one activation. A query
     * without aggregates has its LIMIT there. Others have none, since {@link #finish} has applied
     * it.
     */
    public StreamLimit newStreamLimit() {
        Operator.Sort sort = plan.aggregate().isPresent() ? null : plan.sort().orElse(null);
        return sort == null
                ? new StreamLimit(0, Long.MAX_VALUE)
                : new StreamLimit(sort.offset(), sort.limit().orElse(Long.MAX_VALUE));
    }

    /**
     * Returns the value word that counts a group's packets. It is empty if the query keeps all
     * groups.
     */
    public OptionalInt packetsWord() {
        return lightest.map(how -> OptionalInt.of(how.packetsWord())).orElse(OptionalInt.empty());
    }

    /** A partial without groups, to merge others into. */
    public Partial newPartial(NativeAllocator allocator, long maxBytes) {
        return new Partial(new Tables(allocator, shapes.tables(), shapes.rowBytes(), maxBytes));
    }

    /** Adds the groups of the other, which is closed. */
    public void mergeInto(Partial into, Partial from) {
        into.lost(from.groupsLost() + merge.merge(into.tables(), from.tables()));
        from.close();
    }

    /** One partial with the groups of both, in place of them. */
    public Partial merge(Partial into, Partial from) {
        if (into.isEmpty()) {
            from.lost(into.groupsLost());
            from.tables().leftOut().add(into.tables().leftOut());
            into.close();
            return from;
        }
        into.lost(from.groupsLost() + merge.merge(into.tables(), from.tables()));
        from.close();
        return into;
    }

    /**
     * Makes the window's rows: fold results, HAVING, projection, ORDER BY and LIMIT. Equal rows,
     * and rows without ORDER BY, are sorted by group key: the order is the same for any number of
     * pipelines. Rows of a query without aggregates are sorted by time, then by value. The caller
     * closes the partial.
     */
    public RowBatch finish(
            Partial partial,
            long windowStartNs,
            long windowEndNs,
            RowContext context,
            NativeAllocator allocator) {
        return finish(List.of(partial), windowStartNs, windowEndNs, context, allocator);
    }

    /**
     * Makes the window's rows from several partials that have no group in common. The groups are
     * gathered and sorted, but not merged. Rows of a query without aggregates never have anything
     * in common.
     */
    public RowBatch finish(
            List<Partial> partials,
            long windowStartNs,
            long windowEndNs,
            RowContext context,
            NativeAllocator allocator) {
        List<Tables> tables = partials.stream().map(Partial::tables).toList();
        return finish.finish(tables, windowStartNs, windowEndNs, context, allocator);
    }

    /**
     * Lists the groups of one window that this query, or one that shares its groups, may want. The
     * list is empty unless at least two queries, this one among them, test the same figure in
     * HAVING.
     *
     * @param others over the same groups
     */
    public Optional<Shortlist> shortlist(List<Partial> parts, List<CompiledQuery> others) {
        if (threshold.isEmpty()) {
            return Optional.empty();
        }
        List<Threshold> same =
                others.stream()
                        .flatMap(other -> other.threshold.stream())
                        .filter(other -> other.figure().equals(threshold.get().figure()))
                        .toList();
        if (same.size() < 2) {
            return Optional.empty();
        }
        List<Tables> tables = parts.stream().map(Partial::tables).toList();
        return Optional.of(new Shortlist(tables, same, finish.orders()));
    }

    /** Returns whether the list was made for this query too. */
    public boolean isIn(Shortlist list) {
        return threshold.filter(list::has).isPresent();
    }

    /**
     * Does the same as {@link #finish(List, long, long, RowContext, NativeAllocator)} for the
     * groups on a list.
     */
    public RowBatch finish(
            Shortlist list,
            long windowStartNs,
            long windowEndNs,
            RowContext context,
            NativeAllocator allocator) {
        return finish.finish(
                list, threshold.orElseThrow(), windowStartNs, windowEndNs, context, allocator);
    }
}
