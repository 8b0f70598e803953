package io.weir.cluster.node;

import io.weir.ingest.source.LiveSources;
import io.weir.ingest.source.Source;
import io.weir.ingest.source.SourceSpec;
import io.weir.ingest.source.SourceStatus;
import io.weir.ingest.source.Sources;
import io.weir.operators.account.Account;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.SubQueryNames;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.node.LocalEngine;
import io.weir.operators.ring.ThreadEnd;
import io.weir.operators.rows.RowSink;
import io.weir.sql.QueryCompiler;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One engine for the process's life, over sources that can be read only once. Statements attach to
 * it and leave it, and queries of the catalogue run in it from CREATE to DROP. Live packets pass
 * from the beginning on. Other packets wait for the first statement that reads rows.
 *
 * <p>A thread reads the packets, or one for each live source. Thread-safe; not to be called from a
 * sink.
 */
final class LiveEngine implements AutoCloseable {
    private final NodeSettings settings;
    private final boolean live;
    private final EngineSources sources;
    private final Account account = new Account();
    private final LocalEngine engine;
    private final EngineSubQueries subQueries;
    private final PausedQueries pauses;
    private final LiveFacts facts;
    private final Optional<LiveSources> comeAndGo;
    private final Thread reader = new Thread(this::read, "weir-packets");
    private final Map<String, LiveQuery> queries = new ConcurrentHashMap<>();
    private final Map<String, LiveRows> statements = new ConcurrentHashMap<>();
    private final Set<LiveRows> running = ConcurrentHashMap.newKeySet();
    private final AtomicLong numbers = new AtomicLong();

    // Under this object's monitor.
    private Source source;
    private boolean begun;
    private boolean opened;
    private boolean stopped;
    private boolean ended;
    private RuntimeException failure;

    /**
     * @param named the sources by name
     */
    LiveEngine(NodeSettings settings, Map<String, SourceSpec> named) {
        this.settings = settings;
        live = Sources.isLive(List.copyOf(named.values()));
        sources = new EngineSources(settings, named);
        engine = new LocalEngine(sources.shared(), account, Optional.of(sources));
        subQueries = new EngineSubQueries(engine, settings, this::leave);
        pauses = new PausedQueries(engine, settings);
        facts = new LiveFacts(engine, account, queries);
        engine.addListener(facts.listener(this::failed));
        engine.start();
        comeAndGo =
                live
                        ? Optional.of(sources.live(engine, account, facts::changed))
                        : Optional.empty();
        reader.setDaemon(true);
        if (live) {
            begin();
        }
    }

    /**
     * Adds a live source, whose packets come from now on.
     *
     * @throws WeirException INVALID_OPTION, OUT_OF_NATIVE_MEMORY
     */
    void createSource(String name, SourceSpec spec) {
        CreatedSource.checkDelay(spec, settings);
        comeAndGo.orElseThrow(LiveEngine::isFinite).add(name, spec);
    }

    /** Ends a live source. Returns whether there was one. */
    boolean dropSource(String name) {
        return comeAndGo.orElseThrow(LiveEngine::isFinite).drop(name);
    }

    private static WeirException isFinite() {
        return new WeirException(
                ErrorCode.NOT_SUPPORTED,
                "the sources of this node are finite",
                "the sources of one process are all live or all finite: start another node");
    }

    /** Returns the live sources; none if the packets are finite. */
    Optional<List<SourceStatus>> sourceStatuses() {
        return comeAndGo.map(LiveSources::statuses);
    }

    /** Lets packets pass; they may pass already. */
    private synchronized void begin() {
        if (!begun && !stopped) {
            begun = true;
            reader.start();
        }
    }

    private synchronized boolean isBegun() {
        return begun;
    }

    private void read() {
        try (Source source = open()) {
            begun(source);
            while (source.step()) {
                engine.poll();
            }
            engine.awaitEnd();
            facts.note(source.notes());
            end(null);
        } catch (RuntimeException e) {
            end(isOpeningStopped() ? null : e);
        } catch (Error e) {
            end(new IllegalStateException(e));
        }
    }

    private Source open() {
        return comeAndGo.isPresent() ? comeAndGo.get() : sources.open(engine, account);
    }

    private synchronized void begun(Source now) {
        opened = true;
        source = now;
        if (stopped) {
            now.stop();
        }
    }

    private synchronized boolean isOpeningStopped() {
        return stopped && !opened;
    }

    private void end(RuntimeException failureOrNull) {
        synchronized (this) {
            ended = true;
            failure = failureOrNull;
        }
        statements.values().forEach(rows -> rows.end(failureOrNull));
        queries.values().forEach(query -> query.end(failureOrNull));
    }

    /** Runs a query of the catalogue from now on; one of its name goes on as this. */
    synchronized void create(Query query) {
        LiveQuery before = queries.get(query.name());
        LiveQuery now = new LiveQuery(query);
        if (ended) {
            now.end(failure);
        } else {
            subQueries.with(query, () -> run(query, before != null, now));
        }
        queries.put(query.name(), now);
        if (before != null) {
            before.close();
            subQueries.leave(before.query());
        }
    }

    /** Lets a query of the catalogue count nothing. Its subscribers stay. */
    synchronized void pause(Query query) {
        if (!ended && !stopped) {
            pauses.pause(query, query(query.name()));
        }
    }

    /** Lets a paused query count again; one that has ended by itself begins anew. */
    synchronized void resume(Query query) {
        if (query(query.name()).isEnded()) {
            create(query);
        } else if (!ended && !stopped) {
            pauses.resume(query, query(query.name()));
        }
    }

    private void run(Query query, boolean replaces, LiveQuery now) {
        CompiledQuery code = QueryCompiler.compile(query, settings.layouts());
        if (replaces) {
            engine.replace(code, now, now::table);
        } else {
            engine.add(code, now, now::table);
        }
    }

    /**
     * Ends a query of the catalogue.
     *
     * @throws WeirException INVALID_QUERY: another query, or a statement, reads it
     */
    synchronized void drop(String name) {
        LiveQuery query = queries.get(name);
        if (query != null) {
            leave(name);
            subQueries.leave(query.query());
            queries.remove(name);
            query.close();
        }
    }

    private synchronized void leave(String name) {
        if (ended || stopped) {
            return;
        }
        try {
            engine.drop(name);
        } catch (WeirException e) {
            if (e.code() != ErrorCode.UNKNOWN_QUERY) { // it has ended by itself
                throw e;
            }
        }
    }

    /** A statement's own query: attached when it runs, until it is stopped. */
    RowProducer select(Query query) {
        return new Statement() {
            @Override
            void produce(LiveRows rows, RowSink sink) {
                Query own = SubQueryNames.renamed(query, "select_" + numbers.incrementAndGet());
                LimitReached enough = new LimitReached(() -> rows.end(null));
                RowSink counted = enough.over(own, rows);
                if (!enough.isReached()) {
                    attach(own, rows, counted);
                    running.add(rows);
                    begin();
                    try {
                        rows.passTo(sink);
                    } finally {
                        rows.stop();
                        leave(own.name());
                        subQueries.leave(own);
                        statements.remove(own.name());
                        own.all().forEach(one -> forget(one.name()));
                    }
                }
            }
        };
    }

    private void forget(String name) {
        account.forget(page -> page.endsWith(":" + name));
    }

    private synchronized void attach(Query own, LiveRows rows, RowSink sink) {
        if (ended || stopped) {
            throw hasEnded();
        }
        statements.put(own.name(), rows);
        try {
            subQueries.with(
                    own, () -> engine.add(QueryCompiler.compile(own, settings.layouts()), sink));
        } catch (RuntimeException e) {
            statements.remove(own.name());
            throw e;
        }
    }

    /** Returns whether no packet comes any more. */
    synchronized boolean isOver() {
        return ended;
    }

    private RuntimeException hasEnded() {
        return failure != null
                ? failure
                : new WeirException(
                        ErrorCode.UNREADABLE_INPUT,
                        "the packets have ended, and can be read only once",
                        "start again for more; queries that were created before keep their rows");
    }

    /** The rows of a query of the catalogue, from now on. */
    RowProducer subscribe(String name) {
        return new Statement() {
            @Override
            void produce(LiveRows rows, RowSink sink) {
                LiveQuery query = query(name);
                query.subscribe(rows);
                running.add(rows);
                begin();
                try {
                    rows.passTo(sink);
                } finally {
                    rows.stop();
                    query.leave(rows);
                }
            }
        };
    }

    /** Runs a select over the last window of a query of the catalogue. */
    RowProducer lastWindow(String name, CompiledQuery select) {
        return new Statement() {
            @Override
            void produce(LiveRows rows, RowSink sink) {
                LiveQuery query = query(name);
                begin();
                query.select(select, sink, rows);
            }
        };
    }

    private LiveQuery query(String name) {
        return Optional.ofNullable(queries.get(name))
                .orElseThrow(
                        () ->
                                new WeirException(
                                        ErrorCode.UNKNOWN_QUERY, "there is no query " + name));
    }

    /** One execution. */
    private abstract class Statement implements RowProducer {
        private final LiveRows rows = new LiveRows(!live);

        abstract void produce(LiveRows own, RowSink sink);

        @Override
        public void produce(RowSink sink) {
            try {
                produce(rows, sink);
            } finally {
                running.remove(rows);
                rows.free();
            }
        }

        @Override
        public void stop() {
            rows.stop();
        }
    }

    /** Statements that are attached now. */
    int running() {
        return running.size();
    }

    /** Ends the statement, or the query of the catalogue, that has failed. */
    private void failed(Query query, WeirException why) {
        String name = SubQueryNames.owner(query.name());
        Optional.ofNullable(statements.get(name)).ifPresent(rows -> rows.end(why));
        Optional.ofNullable(queries.get(name)).ifPresent(one -> one.end(why));
    }

    LiveFacts facts() {
        return facts;
    }

    @Override
    public void close() {
        running.forEach(LiveRows::stop); // one that waits for its client holds the engine
        synchronized (this) {
            stopped = true;
            if (source != null) {
                source.stop();
            } else {
                reader.interrupt(); // it may wait for a pipe's writer
            }
        }
        if (isBegun()) {
            ThreadEnd.await(reader);
        }
        engine.close();
        queries.values().forEach(LiveQuery::close);
    }
}
