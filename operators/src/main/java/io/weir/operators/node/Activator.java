package io.weir.operators.node;

import io.weir.operators.account.Account;
import io.weir.operators.account.Stage;
import io.weir.operators.graph.Query;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.kernel.Gate;
import io.weir.operators.kernel.StateOptions;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.pipeline.Pipeline;
import io.weir.operators.result.Activation;
import io.weir.operators.result.ClosedWindow;
import io.weir.operators.result.QueryShape;
import io.weir.operators.result.ResultQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Makes activations of one query: states on all pipelines that hand their windows to one merge. The
 * results' thread, or before the start the builder's.
 */
final class Activator {
    private final ResultQuery query;
    private final EngineOptions options;
    private final NativeAllocator allocator;
    private final List<Pipeline> pipelines;
    private final List<Handover> handovers;
    private final Consumer<ClosedWindow> results;
    private final List<QueryLedger> ledgers = new ArrayList<>();
    private final List<AttachedQuery> attached = new ArrayList<>();

    /**
     * @param handovers one for each pipeline
     * @param results where windows go that close on the results' thread itself
     */
    Activator(
            ResultQuery query,
            EngineOptions options,
            NativeAllocator allocator,
            Account account,
            List<Pipeline> pipelines,
            List<Handover> handovers,
            Consumer<ClosedWindow> results) {
        this.query = query;
        this.options = options;
        this.allocator = allocator;
        this.pipelines = pipelines;
        this.handovers = handovers;
        this.results = results;
        boolean packets = query.code().query().readsPackets();
        for (int part = packets ? pipelines.size() : 1; part > 0; part--) {
            ledgers.add(new QueryLedger(account.stage("query:" + query.name())));
        }
    }

    /**
     * Activates the query. Totals of a finite run are wanted twice where conditions or queries read
     * them: by ticks inside, once at the end outside; then two activations count the same.
     */
    List<Activation> activate(Gate gate) {
        StateOptions atEnd = new StateOptions(options.stateBytes(), 0);
        StateOptions ticking = new StateOptions(options.stateBytes(), options.tickNs());
        boolean totals = QueryShape.isTotals(query.code().query());
        if (totals && !options.finalTotals()) {
            return List.of(activate(gate, ticking, Activation.Output.ALL));
        }
        if (totals && query.hasReaders()) {
            return List.of(
                    activate(gate, atEnd, Activation.Output.SINKS),
                    activate(gate, ticking, Activation.Output.READERS));
        }
        return List.of(activate(gate, atEnd, Activation.Output.ALL));
    }

    private Activation activate(Gate gate, StateOptions state, Activation.Output output) {
        CompiledQuery code = query.code();
        boolean packets = code.query().readsPackets();
        int parts = packets ? pipelines.size() : 1;
        Activation activation = new Activation(code, gate, parts, state, output, allocator);
        query.activate(activation);
        boolean counted = output != Activation.Output.READERS;
        if (packets) {
            attach(activation, state, counted);
        } else if (counted) {
            QueryLedger.Seen nothing = new QueryLedger.Seen();
            activation.onEnd(() -> ledgers.get(0).update(activation.rowState(), nothing));
        }
        return activation;
    }

    private void attach(Activation activation, StateOptions state, boolean counted) {
        boolean skipsLate = state.tickNs() > 0 || canEnd(query.code().query());
        List<AttachedQuery> ours = new ArrayList<>();
        for (int p = 0; p < pipelines.size(); p++) {
            AttachedQuery one =
                    new AttachedQuery(
                            activation,
                            query.code(),
                            state,
                            p,
                            skipsLate,
                            counted ? ledgers.get(p) : new QueryLedger(new Stage("uncounted")),
                            handovers.get(p),
                            allocator);
            ours.add(one);
            attached.add(one);
        }
        activation.onEnd(() -> detach(ours));
        for (int p = 0; p < pipelines.size(); p++) {
            if (!pipelines.get(p).attach(ours.get(p))) {
                ours.get(p).finishOn(results::accept);
            }
        }
    }

    private void detach(List<AttachedQuery> ours) {
        for (int p = 0; p < pipelines.size(); p++) {
            pipelines.get(p).detach(ours.get(p));
        }
        attached.removeIf(one -> one.isFinished() && ours.contains(one));
    }

    private static boolean canEnd(Query query) {
        return query.when()
                .filter(when -> when.until().isPresent() || when.forNs().isPresent())
                .isPresent();
    }

    /** Frees what never finished; the pipelines' threads have ended. */
    void discard() {
        attached.forEach(AttachedQuery::discard);
        attached.clear();
    }
}
