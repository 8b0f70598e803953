package io.weir.operators.node;

import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Budget;
import io.weir.operators.graph.Query;
import io.weir.operators.kernel.ActiveInterval;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.kernel.QueryState;
import io.weir.operators.kernel.StateOptions;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.pipeline.Pipeline;
import io.weir.operators.result.Receivers;
import io.weir.operators.result.WindowMerger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One period in which a shared state counts: the state on each pipeline, and its windows. */
final class SharedStateRun {
    private final Code code;
    private final Owner owner;
    private final EngineContext engine;
    private final ActiveInterval gate;
    private final StateOptions options;
    private final Receivers output;
    private final WindowMerger merger;
    private final List<AttachedQuery> attached = new ArrayList<>();
    private final List<LedgerBook> books = new ArrayList<>();

    /** The state on a pipeline that is being added. */
    private Optional<AttachedQuery> wider = Optional.empty();

    /**
     * The code of the states.
     *
     * @param name for people: that of the first query
     * @param query with the folds of all queries
     * @param samples of their work
     */
    record Code(String name, CompiledQuery query, StateMemory memory, CostSamples samples) {}

    /** Is told how the run ends. */
    interface Owner {
        /** Notes that this run counts no more. */
        void ended(SharedStateRun run);

        /** Notes that the groups have outgrown a budget whose queries then fail; any thread. */
        void overflowed();
    }

    /**
     * @param options of the states
     * @param gathered of the windows that they send
     */
    SharedStateRun(
            Code code,
            EngineContext engine,
            ActiveInterval gate,
            StateOptions options,
            Receivers output,
            StateOptions gathered,
            Owner owner) {
        this.code = code;
        this.owner = owner;
        this.engine = engine;
        this.gate = gate;
        this.options = options;
        this.output = output;
        int count = engine.pipelines().size();
        merger = new WindowMerger(code.query(), count, gathered, engine.allocator());
        if (engine.options().splitsFlows()) {
            merger.widen(0);
        }
        merger.onEnd(this::end);
        merger.seen().of(engine.input(), engine.options().delayNs());
        if (!engine.options().live() && gate.fromNs() > Long.MIN_VALUE) {
            merger.seen().waits(gate.fromNs()); // a replay waits for conditions
        }
        for (int p = 0; p < count; p++) {
            books.add(new LedgerBook());
        }
    }

    ActiveInterval gate() {
        return gate;
    }

    Receivers output() {
        return output;
    }

    WindowMerger merger() {
        return merger;
    }

    /** Returns the states, one on each pipeline. */
    List<AttachedQuery> attached() {
        return attached;
    }

    /** Returns whether its activations' packets count in the account. */
    boolean isCounted() {
        return output != Receivers.READERS;
    }

    /** Adds this query's account to those that are written. */
    void join(QueryPages query, boolean late) {
        for (int p = 0; p < books.size(); p++) {
            books.get(p).join(query.ledger(p), late);
        }
    }

    void leave(QueryPages query) {
        for (int p = 0; p < books.size(); p++) {
            books.get(p).leave(query.ledger(p));
        }
    }

    /**
     * Makes the states.
     *
     * @throws WeirException OUT_OF_NATIVE_MEMORY, and there are none
     */
    void prepare() {
        boolean skipsLate = canEnd(code.query().query());
        try {
            for (int p = 0; p < engine.pipelines().size(); p++) {
                attached.add(attachment(p, skipsLate));
            }
        } catch (WeirException noMemory) {
            discard();
            throw noMemory;
        }
    }

    /** Frees the states before they have begun. */
    void discard() {
        attached.forEach(AttachedQuery::discard);
    }

    /**
     * Begins on all pipelines.
     *
     * @param inPlaceOf the states that end there, between the same two blocks; or empty
     */
    void attach(List<AttachedQuery> inPlaceOf) {
        int count = engine.pipelines().size();
        engine.attached().addAll(attached);
        for (int p = 0; p < count; p++) {
            AttachedQuery ours = attached.get(p);
            Pipeline pipeline = engine.pipelines().get(p);
            boolean begun =
                    inPlaceOf.isEmpty()
                            ? pipeline.attach(ours)
                            : pipeline.replace(inPlaceOf.get(p), ours);
            if (!begun) {
                ours.finishOn(engine.results()::accept);
            }
        }
    }

    /**
     * Makes the state on one more pipeline.
     *
     * @throws WeirException OUT_OF_NATIVE_MEMORY, and there is none
     */
    AttachedQuery wider(int p) {
        books.add(new LedgerBook());
        wider = Optional.of(attachment(p, canEnd(code.query().query())));
        return wider.get();
    }

    /** Begins on that pipeline. */
    void widen(List<QueryPages> queries) {
        AttachedQuery added = wider.orElseThrow();
        wider = Optional.empty();
        int p = attached.size();
        if (isCounted()) {
            queries.forEach(query -> books.get(p).join(query.ledger(p), false));
        }
        attached.add(added);
        merger.widen(1);
        engine.attached().add(added);
        engine.pipelines().get(p).attach(added);
    }

    /** Forgets that pipeline. */
    void narrow() {
        wider = Optional.empty();
        while (books.size() > attached.size()) {
            books.remove(books.size() - 1);
        }
    }

    private AttachedQuery attachment(int p, boolean skipsLate) {
        Query query = code.query().query();
        NativeAllocator memory = code.memory().next();
        boolean fails =
                query.budget().filter(b -> b.overflow() == Budget.Overflow.FAIL).isPresent();
        AttachedQuery[] made = new AttachedQuery[1];
        made[0] =
                new AttachedQuery(
                        code.name(),
                        merger,
                        p,
                        skipsLate,
                        query.aggregate().flatMap(a -> a.window()).isPresent(),
                        books.get(p),
                        handover(p),
                        state(p, memory),
                        code.samples(),
                        fails ? owner::overflowed : null,
                        () -> {
                            engine.attached().remove(made[0]);
                            memory.release();
                        });
        return made[0];
    }

    /**
     * Live packets do not wait for the results. Their windows stay in the budget until they are
     * rows.
     */
    private WindowHandover handover(int p) {
        WindowHandover results = engine.runner().handover(p);
        Runnable turn = engine.runner().resultsTurn();
        boolean bounded = code.query().query().budget().isPresent();
        return engine.options().live() || turn == null || !bounded
                ? results
                : new ClosedWindowBudget(results, turn, engine.states(), options.maxBytes());
    }

    private QueryState state(int p, NativeAllocator memory) {
        try {
            return code.query().newState(memory, gate, options, code.memory().sizes(p));
        } catch (WeirException noMemory) {
            memory.release();
            throw noMemory;
        }
    }

    private static boolean canEnd(Query query) {
        return query.when()
                .filter(when -> when.until().isPresent() || when.forNs().isPresent())
                .isPresent();
    }

    /** Ends the states before the pipelines' next blocks. */
    void end() {
        for (int p = 0; p < attached.size(); p++) {
            engine.pipelines().get(p).detach(attached.get(p));
        }
        owner.ended(this);
    }
}
