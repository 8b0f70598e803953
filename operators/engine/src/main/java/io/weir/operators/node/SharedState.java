package io.weir.operators.node;

import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Budget;
import io.weir.operators.graph.Operator.FoldCall;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.Sharing;
import io.weir.operators.kernel.ActiveInterval;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.kernel.RowContext;
import io.weir.operators.kernel.StateOptions;
import io.weir.operators.result.Activation;
import io.weir.operators.result.QueryShape;
import io.weir.operators.result.Receivers;
import io.weir.operators.result.ResultQuery;
import io.weir.operators.result.UnreportedPackets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Queries that share one state on every pipeline. They have one map and one kernel with all their
 * folds. Each query makes its own rows of the groups. A query that shares with no other has its own
 * shared state. The results' lock.
 */
final class SharedState implements SharedStateRun.Owner {
    private final EngineContext engine;
    private final CompiledQuery code;
    private final StateMemory memory;
    private final Consumer<SharedState> overflowed;
    private final CostSamples samples = new CostSamples();
    private final List<Member> members = new ArrayList<>();
    private final List<SharedStateRun> countings = new ArrayList<>();

    /**
     * The states that begin next. A query over packets uses the first, a query over rows the
     * second.
     */
    private final List<SharedStateRun> ready = new ArrayList<>();

    private final List<Activation> readyOverRows = new ArrayList<>();
    private boolean failed;

    /**
     * A query of a shared state.
     *
     * @param over its code over the state's groups
     */
    record Member(ResultQuery query, CompiledQuery over, QueryPages pages) {}

    /** The options that several queries have in common in one state. */
    private record Share(StateOptions options, Receivers output) {}

    /**
     * @param code the kernel's: with the folds of all members
     * @param overflowed a pipeline's thread reports this there if it must fail
     */
    SharedState(EngineContext engine, CompiledQuery code, Consumer<SharedState> overflowed) {
        this.engine = engine;
        this.code = code;
        this.overflowed = overflowed;
        memory = new StateMemory(engine, code.query());
    }

    /**
     * Returns whether its windows are sent to another process; this is the same for all members.
     */
    boolean leaves() {
        return !members.isEmpty() && members.get(0).query().leaves();
    }

    /** Returns true only for the first call. */
    boolean failsFirst() {
        boolean first = !failed;
        failed = true;
        return first;
    }

    /** Returns the work of a member so far, whose kernel is that of all members. */
    QueryCost cost(String query, long rows, long rowsNs) {
        long bytes =
                countings.stream()
                        .flatMap(counting -> counting.attached().stream())
                        .mapToLong(AttachedQuery::bytes)
                        .sum();
        String first = members.isEmpty() ? query : members.get(0).query().name();
        return samples.cost(query, first, rows, rowsNs, bytes);
    }

    CompiledQuery code() {
        return code;
    }

    List<ResultQuery> queries() {
        return members.stream().map(Member::query).toList();
    }

    boolean isShared() {
        return members.size() > 1;
    }

    @Override
    public void ended(SharedStateRun counting) {
        countings.remove(counting);
    }

    @Override
    public void overflowed() {
        overflowed.accept(this);
    }

    /** Adds a query before the shared state counts. */
    void add(Member member) {
        members.add(member);
    }

    /**
     * Returns whether a query can still join. It cannot join without a window, because the totals
     * would be older than the query.
     */
    boolean takes(Query query, boolean leaves) {
        return leaves == leaves()
                && !countings.isEmpty()
                && query.aggregate().flatMap(a -> a.window()).isPresent()
                && Sharing.key(query).isPresent()
                && Sharing.key(query).equals(Sharing.key(code.query()))
                && Sharing.folds(code.query()).containsAll(Sharing.folds(query));
    }

    /**
     * Returns the graph over this shared state's groups, for a query that {@link #takes} accepts.
     */
    Query over(Query query) {
        List<FoldCall> folds =
                code.query().aggregate().orElseThrow().folds().stream()
                        .map(Sharing::unnamed)
                        .toList();
        return Sharing.over(query, folds, code.query());
    }

    /**
     * Adds a query while the shared state counts, from the next window that closes. That window is
     * whole.
     */
    void join(Member member) {
        add(member);
        for (SharedStateRun counting : countings) {
            activate(member, counting, RowContext.ALWAYS, true);
        }
    }

    /**
     * Begins to count, as {@link #prepare} and {@link #begin} do.
     *
     * @throws WeirException OUT_OF_NATIVE_MEMORY, and nothing has begun
     */
    List<Activation> activate(ActiveInterval gate, long activeFromNs) {
        prepare(
                gate,
                activeFromNs,
                members.stream().anyMatch(member -> member.query().wantsTicks()));
        return begin(activeFromNs, null);
    }

    /**
     * Allocates the memory for {@link #begin}, which then cannot fail. Totals of a finite run may
     * be needed twice: in ticks for conditions and queries, and once at the end for sinks. Two
     * states then count the same packets.
     *
     * @param activeFromNs the value for rows of a query over rows
     * @param read whether conditions or queries will read its rows
     * @throws WeirException OUT_OF_NATIVE_MEMORY, and none is taken
     */
    void prepare(ActiveInterval gate, long activeFromNs, boolean read) {
        try {
            for (Share share : shares(read)) {
                prepare(gate, activeFromNs, share);
            }
        } catch (WeirException noMemory) {
            ready.forEach(SharedStateRun::discard);
            ready.clear();
            readyOverRows.forEach(Activation::close);
            readyOverRows.clear();
            memory.release();
            throw noMemory;
        }
    }

    private List<Share> shares(boolean read) {
        if (!QueryShape.isTotals(code.query())) {
            return List.of(new Share(atEnd(), Receivers.ALL));
        } else if (!engine.options().finalTotals()) {
            return List.of(new Share(ticking(), Receivers.ALL));
        } else if (!read) {
            return List.of(new Share(atEnd(), Receivers.ALL));
        }
        return List.of(
                new Share(atEnd(), Receivers.SINKS), new Share(ticking(), Receivers.READERS));
    }

    private void prepare(ActiveInterval gate, long activeFromNs, Share share) {
        if (code.query().reads().comesAsGpvs()) {
            memory.reserve();
            // Windows that are sent on are added up by the receiver. So the changes of each tick
            // are sent.
            StateOptions gathered = leaves() ? atEnd() : share.options();
            SharedStateRun counting =
                    new SharedStateRun(
                            new SharedStateRun.Code(
                                    members.get(0).query().name(), code, memory, samples),
                            engine,
                            gate,
                            share.options(),
                            share.output(),
                            gathered,
                            this);
            counting.prepare();
            ready.add(counting);
        } else {
            Activation overRows =
                    new Activation(
                            code,
                            gate,
                            activeFromNs,
                            share.output(),
                            share.options(),
                            engine.allocator());
            if (code.query().budget().filter(Budget::fails).isPresent()) {
                overRows.onFull(this::overflowed);
            }
            overRows.merger().seen().of(engine.input(), engine.options().delayNs());
            readyOverRows.add(overRows);
        }
    }

    /**
     * Begins the prepared states.
     *
     * @param activeFromNs the value for the rows
     * @param inPlaceOf a shared state that ends when this begins, between the same two blocks; or
     *     null
     */
    List<Activation> begin(long activeFromNs, SharedState inPlaceOf) {
        List<SharedStateRun> old = inPlaceOf == null ? List.of() : List.copyOf(inPlaceOf.countings);
        List<Activation> begun = new ArrayList<>(readyOverRows);
        readyOverRows.forEach(this::beginOverRows);
        readyOverRows.clear();
        for (int c = 0; c < ready.size(); c++) {
            List<AttachedQuery> ends = c < old.size() ? old.get(c).attached() : List.of();
            begun.addAll(begin(ready.get(c), activeFromNs, ends));
        }
        ready.clear();
        for (int more = countings.size(); more < old.size(); more++) {
            old.get(more).end();
        }
        return begun;
    }

    /**
     * Makes what it needs on one more pipeline, the last one. {@link #widen} or {@link #narrow}
     * follows.
     *
     * @throws WeirException OUT_OF_NATIVE_MEMORY
     */
    List<AttachedQuery> wider() {
        int p = engine.pipelines().size() - 1;
        memory.widen();
        List<AttachedQuery> made = new ArrayList<>();
        try {
            for (SharedStateRun counting : countings) {
                memory.reserveWider();
                made.add(counting.wider(p));
            }
        } catch (WeirException noMemory) {
            made.forEach(AttachedQuery::discard);
            memory.release();
            throw noMemory;
        }
        return made;
    }

    /** Begins on that pipeline. */
    void widen() {
        countings.forEach(counting -> counting.widen(members.stream().map(Member::pages).toList()));
    }

    /** Stays on the pipelines that it had. */
    void narrow() {
        countings.forEach(SharedStateRun::narrow);
    }

    /** Ends the states between two blocks. They send their open windows. */
    void detach() {
        List.copyOf(countings).forEach(SharedStateRun::end);
    }

    private StateOptions atEnd() {
        return new StateOptions(memory.stateBytes(), 0, engine.options().delayNs());
    }

    private StateOptions ticking() {
        return new StateOptions(
                memory.stateBytes(), QueryShape.TICK_NS, engine.options().delayNs());
    }

    private List<Activation> begin(
            SharedStateRun counting, long activeFromNs, List<AttachedQuery> ends) {
        List<Activation> begun = new ArrayList<>();
        for (Member member : members) {
            if (counting.isCounted() || member.query().wantsTicks()) {
                begun.add(activate(member, counting, activeFromNs, false));
            }
        }
        countings.add(counting);
        counting.attach(ends);
        return begun;
    }

    private Activation activate(
            Member member, SharedStateRun counting, long activeFromNs, boolean late) {
        boolean apart = counting.output() != Receivers.ALL;
        boolean alone = apart && !member.query().wantsTicks();
        Activation activation =
                new Activation(
                        member.over(),
                        counting.gate(),
                        activeFromNs,
                        alone ? Receivers.ALL : counting.output(),
                        counting.merger(),
                        engine.allocator());
        untold(counting).ifPresent(activation::countedBy);
        member.query().activate(activation);
        if (counting.isCounted()) {
            member.pages().follow(activation);
            counting.join(member.pages(), late);
        }
        activation.onEnd(() -> left(member, counting));
        return activation;
    }

    /** Windows leave late packets out. Totals and single packets do not. */
    private Optional<UnreportedPackets> untold(SharedStateRun counting) {
        long fromNs = Math.max(counting.gate().fromNs(), engine.passedNs());
        return code.query().aggregate().flatMap(a -> a.window()).isEmpty()
                ? Optional.empty()
                : engine.counts().map(counts -> new UnreportedPackets(counts, fromNs));
    }

    private void left(Member member, SharedStateRun counting) {
        if (members.size() > 1) {
            counting.leave(member.pages());
            members.remove(member);
        }
    }

    private void beginOverRows(Activation activation) {
        Member only = members.get(0);
        only.query().activate(activation);
        if (activation.output() != Receivers.READERS) {
            only.pages().follow(activation);
            activation.onEnd(() -> only.pages().add(activation.rowCounts()));
        }
    }
}
