package io.weir.operators.node;

import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Operator.FoldCall;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.Sharing;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.kernel.Gate;
import io.weir.operators.kernel.RowContext;
import io.weir.operators.kernel.StateOptions;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.result.Activation;
import io.weir.operators.result.QueryShape;
import io.weir.operators.result.UntoldPackets;
import io.weir.operators.window.Sizes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Queries that share one state on every pipeline: one map and one kernel, whose folds are the union
 * of theirs; each makes its own rows of the groups. One that shares with nobody is a crowd too. The
 * results' lock.
 */
final class Crowd {
    private final Lanes lanes;
    private final CompiledQuery code;
    private final List<Member> members = new ArrayList<>();
    private final List<Counting> countings = new ArrayList<>();
    private final List<NativeAllocator> reserved = new ArrayList<>();

    /** By pipeline. */
    private final List<Sizes> sizes = new ArrayList<>();

    /** What begins next: of packets the one, of rows the other. */
    private final List<Counting> ready = new ArrayList<>();

    private final List<Activation> readyOverRows = new ArrayList<>();
    private boolean failed;

    /**
     * @param over the query's code over the crowd's groups
     */
    private record Member(Running running, CompiledQuery over) {}

    /** One state of those that count the same. */
    private record Share(StateOptions options, Activation.Output output) {}

    /**
     * @param code the kernel's: with the folds of all who share
     */
    Crowd(Lanes lanes, CompiledQuery code) {
        this.lanes = lanes;
        this.code = code;
        lanes.pipelines().forEach(pipeline -> sizes.add(new Sizes()));
    }

    /** Whether its windows go elsewhere: those of all who share, or of none. */
    boolean leaves() {
        return !members.isEmpty() && members.get(0).running.leaves();
    }

    /** Whether this is the first time that it is asked. */
    boolean failsFirst() {
        boolean first = !failed;
        failed = true;
        return first;
    }

    CompiledQuery code() {
        return code;
    }

    List<Running> members() {
        return members.stream().map(Member::running).toList();
    }

    /** Sets the budget aside for the state that is made next: all of it, or nothing. */
    private void reserve() {
        if (code.query().budget().isEmpty() || !reserved.isEmpty()) {
            return;
        }
        try {
            for (int p = 0; p < lanes.pipelines().size(); p++) {
                reserved.add(lanes.states().reserve(stateBytes()));
            }
        } catch (WeirException refused) {
            release();
            throw refused;
        }
    }

    /** Gives back what was set aside and not used. */
    void release() {
        reserved.forEach(NativeAllocator::release);
        reserved.clear();
    }

    /** For a state on one pipeline. */
    NativeAllocator memory() {
        return reserved.isEmpty() ? lanes.states() : reserved.remove(0);
    }

    /** What its states on one pipeline learn of one another. */
    Sizes sizes(int pipeline) {
        return sizes.get(pipeline);
    }

    /** Whose states these are, for people: of several that share them, the first one's. */
    String name() {
        return members.get(0).running.name();
    }

    /** It will count no more. */
    void ended(Counting counting) {
        countings.remove(counting);
    }

    /** Before it counts. */
    void add(Running running, CompiledQuery over) {
        members.add(new Member(running, over));
        running.crowd = this;
    }

    /**
     * Whether a query can still join: not where there is no window, since its totals would be older
     * than itself.
     */
    boolean takes(Query query, boolean leaves) {
        return leaves == leaves()
                && !countings.isEmpty()
                && query.aggregate().flatMap(a -> a.window()).isPresent()
                && Sharing.key(query).isPresent()
                && Sharing.key(query).equals(Sharing.key(code.query()))
                && Sharing.folds(code.query()).containsAll(Sharing.folds(query));
    }

    /** The graph of a query that {@link #takes} says yes to, over this crowd's groups. */
    Query over(Query query) {
        List<FoldCall> folds =
                code.query().aggregate().orElseThrow().folds().stream()
                        .map(Sharing::unnamed)
                        .toList();
        return Sharing.over(query, folds, code.query());
    }

    /** While it counts: from the next window that closes, which is whole. */
    void join(Running running, CompiledQuery over) {
        Member member = new Member(running, over);
        members.add(member);
        running.crowd = this;
        for (Counting counting : countings) {
            activate(member, counting, RowContext.ALWAYS, true);
        }
    }

    /**
     * Begins to count, as {@link #prepare} and {@link #begin} do.
     *
     * @throws WeirException OUT_OF_NATIVE_MEMORY, and nothing has begun
     */
    List<Activation> activate(Gate gate, long activeFromNs) {
        prepare(gate, activeFromNs, members.stream().anyMatch(m -> m.running.result.wantsTicks()));
        return begin(activeFromNs, null);
    }

    /**
     * Takes the memory for what {@link #begin} begins, which cannot fail then. Totals of a finite
     * run are wanted twice where conditions or queries read them: by ticks inside, once at the end
     * outside; then two states count the same.
     *
     * @param activeFromNs what rows of rows shall say
     * @param read whether conditions or queries will read its rows
     * @throws WeirException OUT_OF_NATIVE_MEMORY, and none is taken
     */
    void prepare(Gate gate, long activeFromNs, boolean read) {
        try {
            for (Share share : shares(read)) {
                prepare(gate, activeFromNs, share);
            }
        } catch (WeirException noMemory) {
            ready.forEach(Counting::discard);
            ready.clear();
            readyOverRows.forEach(Activation::close);
            readyOverRows.clear();
            release();
            throw noMemory;
        }
    }

    private List<Share> shares(boolean read) {
        if (!QueryShape.isTotals(code.query())) {
            return List.of(new Share(atEnd(), Activation.Output.ALL));
        } else if (!lanes.options().finalTotals()) {
            return List.of(new Share(ticking(), Activation.Output.ALL));
        } else if (!read) {
            return List.of(new Share(atEnd(), Activation.Output.ALL));
        }
        return List.of(
                new Share(atEnd(), Activation.Output.SINKS),
                new Share(ticking(), Activation.Output.READERS));
    }

    private void prepare(Gate gate, long activeFromNs, Share share) {
        if (code.query().readsPackets()) {
            reserve();
            // What leaves is added up where it arrives: the changes of each tick go.
            StateOptions gathered = leaves() ? atEnd() : share.options();
            Counting counting =
                    new Counting(this, lanes, gate, share.options(), share.output(), gathered);
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
                            lanes.allocator());
            overRows.gathering().seen().of(lanes.input(), lanes.options().delayNs());
            readyOverRows.add(overRows);
        }
    }

    /**
     * Begins what was prepared.
     *
     * @param activeFromNs what the rows shall say
     * @param inPlaceOf a crowd that ends as this begins, between the same two blocks; or null
     */
    List<Activation> begin(long activeFromNs, Crowd inPlaceOf) {
        List<Counting> old = inPlaceOf == null ? List.of() : List.copyOf(inPlaceOf.countings);
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

    /** Ends by itself, between two blocks, with the windows that are open. */
    void detach() {
        List.copyOf(countings).forEach(Counting::end);
    }

    private StateOptions atEnd() {
        return new StateOptions(stateBytes(), 0, lanes.options().delayNs());
    }

    private StateOptions ticking() {
        return new StateOptions(stateBytes(), QueryShape.TICK_NS, lanes.options().delayNs());
    }

    private long stateBytes() {
        int parts = code.query().readsPackets() ? lanes.pipelines().size() : 1;
        return code.query()
                .budget()
                .map(budget -> budget.memoryBytes() / parts)
                .orElse(lanes.options().mostStateBytes());
    }

    private List<Activation> begin(Counting counting, long activeFromNs, List<AttachedQuery> ends) {
        List<Activation> begun = new ArrayList<>();
        for (Member member : members) {
            if (counting.isCounted() || member.running.result.wantsTicks()) {
                begun.add(activate(member, counting, activeFromNs, false));
            }
        }
        countings.add(counting);
        counting.gathering().seen().from(activeFromNs);
        counting.attach(ends);
        return begun;
    }

    private Activation activate(Member member, Counting counting, long activeFromNs, boolean late) {
        boolean apart = counting.output() != Activation.Output.ALL;
        boolean alone = apart && !member.running.result.wantsTicks();
        Activation activation =
                new Activation(
                        member.over,
                        counting.gate(),
                        activeFromNs,
                        alone ? Activation.Output.ALL : counting.output(),
                        counting.gathering(),
                        lanes.allocator());
        untold(counting).ifPresent(activation::countedBy);
        member.running.result.activate(activation);
        if (counting.isCounted()) {
            activation.onSumsBeyond(member.running::tellSums);
            counting.join(member.running, late);
            if (member.running.heaviest.isPresent()) {
                activation.onKept(member.running::tell);
            }
        }
        activation.onEnd(() -> left(member, counting));
        return activation;
    }

    /** Windows leave late packets out; totals and single packets do not. */
    private Optional<UntoldPackets> untold(Counting counting) {
        long fromNs = Math.max(counting.gate().fromNs(), lanes.passedNs());
        return code.query().aggregate().flatMap(a -> a.window()).isEmpty()
                ? Optional.empty()
                : lanes.counts().map(counts -> new UntoldPackets(counts, fromNs));
    }

    private void left(Member member, Counting counting) {
        if (members.size() > 1) {
            counting.leave(member.running);
            members.remove(member);
        }
    }

    private void beginOverRows(Activation activation) {
        Running only = members.get(0).running;
        only.result.activate(activation);
        if (activation.output() != Activation.Output.READERS) {
            activation.onSumsBeyond(only::tellSums);
            activation.onEnd(() -> only.ledgers.get(0).add(activation.rowCounts()));
        }
    }
}
