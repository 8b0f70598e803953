package io.weir.cluster.node;

import io.weir.ingest.source.Source;
import io.weir.ingest.source.SourceSpec;
import io.weir.ingest.source.Sources;
import io.weir.operators.account.Account;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Query;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.node.LocalEngine;
import io.weir.operators.node.WakeListener;
import io.weir.operators.rows.RowBatch;
import io.weir.operators.rows.RowSink;
import io.weir.sql.QueryCompiler;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * One pass over the captures with a set of queries, with its own engine, source and account. One
 * thread calls {@link #run} once. It reads and, with one pipeline, counts. Any thread calls {@link
 * #stop}.
 */
public final class Replay {
    private static final RowSink NOBODY = batch -> {};

    private final NodeSettings settings;
    private final List<SourceSpec> captures;
    private final Map<CompiledQuery, RowSink> queries = new LinkedHashMap<>();
    private final Set<String> paused = new HashSet<>();
    private final Map<String, RowSink> tables = new LinkedHashMap<>();
    private final Listener listener;
    private final Account account = new Account();
    private final EngineSources sources;
    private final LimitReached enough = new LimitReached(this::stopEarly);
    private volatile boolean early;
    private volatile boolean stopped;
    private volatile Source source;

    Replay(NodeSettings settings, List<SourceSpec> captures, Listener listener) {
        this.settings = settings;
        this.captures = List.copyOf(captures);
        this.sources = new EngineSources(settings, Sources.named(this.captures));
        this.listener = listener;
    }

    /** Compiles a query and adds it, after all that it needs. Its rows go to the sink. */
    void add(Query query, RowSink sink) {
        CompiledQuery compiled = QueryCompiler.compile(query, settings.layouts());
        queries.put(compiled, enough.over(query, sink));
    }

    /** Adds a query whose rows only other queries want. */
    void add(Query query) {
        queries.put(QueryCompiler.compile(query, settings.layouts()), NOBODY);
    }

    /** Lets a query count nothing. */
    void pause(Query query) {
        paused.add(query.name());
    }

    /** Adds a keyed table. All its rows go to the sink whenever it has changed. */
    void addTable(Query query, RowSink sink) {
        add(query);
        tables.put(query.name(), sink);
    }

    /** Returns whether packets are read. They are not while a pipe has told nothing. */
    public boolean isReading() {
        return source != null;
    }

    /** Returns the account of this pass. Any thread may look at it while it runs. */
    public Account account() {
        return account;
    }

    /** Runs to the end of the input, or until no row can follow, or until {@link #stop}. */
    public Report run() {
        Sources.checkAll(captures);
        try (LocalEngine engine =
                new LocalEngine(sources.engine(), account, Optional.of(sources))) {
            queries.forEach((query, sink) -> add(engine, query, sink));
            tables.forEach(engine::readTable);
            Wakes wakes = new Wakes(listener, new CopyOnWriteArrayList<>());
            engine.addListener(wakes);
            engine.start();
            QueryRates rates = new QueryRates();
            List<TableNote> read = TableNote.of(queries.keySet());
            List<String> notes = read(engine);
            engine.awaitEnd();
            read.forEach(table -> notes.add(table.text()));
            notes.addAll(AccountNotes.of(account.snapshot()));
            return new Report(
                    account.snapshot(),
                    notes,
                    wakes.failures,
                    bindings(engine),
                    read,
                    rates.of(engine.costs(), account.snapshot()));
        }
    }

    private void add(LocalEngine engine, CompiledQuery query, RowSink sink) {
        if (paused.contains(query.query().name())) {
            engine.pause(query, sink);
        } else {
            engine.add(query, sink);
        }
    }

    private List<List<String>> bindings(LocalEngine engine) {
        Map<String, Query> byName = new HashMap<>();
        queries.keySet().forEach(code -> byName.put(code.query().name(), code.query()));
        return engine.bindings().stream()
                .map(one -> BindingLine.of(byName.get(one.query()), one))
                .toList();
    }

    private List<String> read(LocalEngine engine) {
        try (Source opened = sources.open(engine, account)) {
            source = opened;
            if (enough.isReached()) {
                stopEarly();
            }
            if (stopped) {
                opened.stop();
            }
            while (opened.step()) {
                engine.poll();
            }
            List<String> notes = new ArrayList<>(opened.notes());
            opened.caches().flatMap(CacheNote::of).ifPresent(notes::add);
            if (stopped && (early || !Sources.isLive(captures))) {
                notes.add(
                        early
                                ? "every LIMIT was reached: the rest of the input was not read"
                                : "stopped before the end of the input");
            }
            return notes;
        } finally {
            source = null;
        }
    }

    /** Stops because no further row would pass. The rows' thread. */
    private void stopEarly() {
        early = source != null;
        stop();
    }

    /** Ends the run soon, in good order. Idempotent; any thread. */
    public void stop() {
        stopped = true;
        Source running = source;
        if (running != null) {
            running.stop();
        }
    }

    private record Wakes(Listener listener, List<WeirException> failures) implements WakeListener {
        @Override
        public void woken(Query query, long activeFromNs, RowBatch batch, int row) {
            listener.woken(
                    query, BindingText.of(query, batch, row), batch.windowEndNs(), activeFromNs);
        }

        @Override
        public void full(Query query, RowBatch batch, int row) {
            listener.full(query, BindingText.of(query, batch, row), batch.windowEndNs());
        }

        @Override
        public void until(Query query, long untilNs) {
            listener.until(query, untilNs);
        }

        @Override
        public void failed(Query query, WeirException failure) {
            failures.add(failure);
            listener.failed(query, failure);
        }
    }
}
