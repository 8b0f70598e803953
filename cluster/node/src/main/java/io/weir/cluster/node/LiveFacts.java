package io.weir.cluster.node;

import io.weir.ingest.source.SourceStatus;
import io.weir.operators.account.Account;
import io.weir.operators.account.Stage;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Query;
import io.weir.operators.node.LocalEngine;
import io.weir.operators.node.WakeListener;
import io.weir.operators.when.ActiveBinding;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;

/** Tells what a shared engine has done: its account, events, bindings and costs. Thread-safe. */
final class LiveFacts {
    private final LocalEngine engine;
    private final Account account;
    private final Map<String, LiveQuery> queries;
    private final QueryRates rates = new QueryRates();
    private final Outcome outcome = new Outcome();
    private final Events events = new Events(outcome);
    private final List<String> notes = new ArrayList<>();

    /**
     * @param queries of the catalogue; its owner keeps the map
     */
    LiveFacts(LocalEngine engine, Account account, Map<String, LiveQuery> queries) {
        this.engine = engine;
        this.account = account;
        this.queries = queries;
    }

    /** Returns the listener that notes events. */
    WakeListener listener(BiConsumer<Query, WeirException> failed) {
        return new LiveListener(outcome, events, failed);
    }

    /** A source's reader, or the thread that drops the source. */
    void changed(SourceStatus source) {
        synchronized (outcome) {
            outcome.changed(source);
        }
    }

    void note(List<String> more) {
        synchronized (outcome) {
            notes.addAll(more);
        }
    }

    /** Returns the account and the latest events, as they are now. */
    Outcome outcome() {
        synchronized (outcome) {
            Outcome now = outcome.copy();
            now.report(new Report(account.snapshot(), List.copyOf(notes), List.of()));
            return now;
        }
    }

    /** Returns the bindings that count now, as SHOW BINDINGS shows them. */
    List<List<String>> bindings() {
        List<List<String>> rows = new ArrayList<>();
        for (ActiveBinding one : engine.bindings()) {
            Optional.ofNullable(queries.get(one.query()))
                    .ifPresent(query -> rows.add(BindingLine.of(query.query(), one)));
        }
        return rows;
    }

    /** Returns the work of all queries, as SHOW QUERY COST shows it. */
    List<List<String>> costs() {
        return rates.of(engine.costs(), account.snapshot()).stream().map(CostTable::row).toList();
    }

    /** Returns the work of a query so far, as EXPLAIN ANALYZE shows it. */
    List<List<String>> analyzed(String query) {
        List<Stage.Snapshot> stages = account.snapshot();
        return QueryAnalysis.lines(query, rates.of(engine.costs(), stages), stages);
    }
}
