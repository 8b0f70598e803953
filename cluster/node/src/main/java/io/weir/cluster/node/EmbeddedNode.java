package io.weir.cluster.node;

import io.weir.cluster.catalog.MemoryCatalog;
import io.weir.cluster.catalog.QueryCatalog;
import io.weir.cluster.metrics.Meter;
import io.weir.cluster.placement.LocalPlacement;
import io.weir.cluster.security.Permissions;
import io.weir.cluster.security.User;
import io.weir.cluster.table.TableFolders;
import io.weir.ingest.source.SourceSpec;
import io.weir.ingest.source.Sources;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.SubQueryNames;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.rows.RowSink;
import io.weir.sql.QueryCompiler;
import io.weir.sql.SqlFrontend;
import io.weir.sql.Statement;
import io.weir.sql.catalog.Catalog;
import io.weir.sql.plan.SelectInput;
import io.weir.sql.plan.WhenWarning;
import io.weir.sql.validate.Placeholders;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A node that is its own cluster: catalogue, placement, merge and triggers in this process, packets
 * from captures. Each SELECT and SUBSCRIBE is a replay of them, with the queries that it needs.
 * Thread-safe; replays run on their callers' threads.
 */
public final class EmbeddedNode implements SqlNode, AutoCloseable {
    private final NodeSettings settings;
    private final List<SourceSpec> captures;
    private final NodeTables tables;
    private final QueryCatalog catalog;
    private final SqlFrontend frontend;
    private final Information information;
    private final NodeReplays replays;
    private volatile Optional<LiveEngine> live = Optional.empty();
    private volatile Optional<Answer.Texts> audit = Optional.empty();

    public EmbeddedNode(NodeSettings settings, List<SourceSpec> captures) {
        this(settings, captures, TableFolders.none());
    }

    /**
     * @param folders where files of lookup tables lie
     */
    public EmbeddedNode(NodeSettings settings, List<SourceSpec> captures, TableFolders folders) {
        this.settings = settings;
        this.captures = List.copyOf(captures);
        tables = new NodeTables(folders);
        catalog = new MemoryCatalog(Optional.of(tables.store()));
        frontend = new SqlFrontend(catalog);
        replays = new NodeReplays(settings, this.captures, tables, catalog);
        this.information =
                new Information(
                        catalog,
                        frontend,
                        new LocalPlacement(settings.shape().total())::explain,
                        settings,
                        folders);
    }

    /** Returns the front end that turns text into statements for {@link #load}. */
    public SqlFrontend frontend() {
        return frontend;
    }

    /** Makes a text's CREATEs and DROPs, and collects its queries and texts. It runs nothing. */
    public Program load(List<Statement> statements) {
        Map<String, Query> wanted = new LinkedHashMap<>();
        List<Answer.Texts> texts = new ArrayList<>();
        List<String> warnings = new ArrayList<>();
        for (Statement statement : statements) {
            if (statement instanceof Statement.Select select) {
                String name = freeName(wanted.keySet());
                wanted.put(name, SubQueryNames.renamed(select.query(), name));
            } else if (statement instanceof Statement.CreateQuery create) {
                catalog.create(create.query(), create.orReplace());
                wanted.put(create.query().name(), create.query());
                WhenWarning.of(create.query(), catalog).ifPresent(warnings::add);
            } else if (statement instanceof Statement.DropQuery drop) {
                drop(drop);
                wanted.remove(drop.name());
            } else if (statement instanceof Statement.PauseQuery pause) {
                pause(pause.name());
                wanted.remove(pause.name());
            } else if (statement instanceof Statement.ResumeQuery resume) {
                resume(resume.name());
                wanted.put(resume.name(), query(resume.name()));
            } else if (NodeAggregates.isOne(statement)) {
                NodeAggregates.change(catalog, statement);
            } else if (NodeTables.isOne(statement)) {
                tables.change(statement);
            } else if (statement instanceof Statement.Subscribe subscribe) {
                wanted.put(subscribe.name(), query(subscribe.name()));
            } else {
                texts.add(texts(statement));
            }
        }
        return new Program(List.copyOf(wanted.values()), texts, warnings, Program.asks(statements));
    }

    /** The text is made now, because later statements may change the catalogue. */
    private Answer.Texts texts(Statement statement) {
        if (statement instanceof Statement.SelectSys sys) {
            return SysAnswer.texts(SysAnswer.of(sys, this::texts));
        } else if (statement instanceof Statement.DescribeSys described) {
            return SysAnswer.described(described, this::texts);
        } else if (statement instanceof Statement.ShowAccount
                || statement instanceof Statement.ShowEvents
                || statement instanceof Statement.ShowBindings
                || statement instanceof Statement.ShowQueryCost
                || statement instanceof Statement.ShowLoss) {
            throw new WeirException(
                    ErrorCode.NOT_SUPPORTED,
                    "SHOW ACCOUNT, EVENTS, BINDINGS, LOSS and QUERY COST show the last run of a"
                            + " session",
                    "weir run prints both by itself; --stats writes the account");
        } else if (statement instanceof Statement.CreateSource
                || statement instanceof Statement.DropSource) {
            throw new WeirException(
                    ErrorCode.NOT_SUPPORTED,
                    "sources come and go in a session, and not in a run",
                    "weir run --source URI; weir sql and weir server take CREATE SOURCE");
        } else if (statement instanceof Statement.ShowSources) {
            return shownSources();
        } else if (statement instanceof Statement.ShowTables) {
            return tables.shown();
        } else if (statement instanceof Statement.Analyze analyze) {
            return analyzed(analyze);
        }
        Information.checkAnswered(statement);
        return information.answer(statement);
    }

    /** Returns the plan and the cost: of a running query so far, or of a run over the captures. */
    Answer.Texts analyzed(Statement.Analyze analyze) {
        Query query = analyze.query();
        if (live.isPresent() && !analyze.created()) {
            throw new WeirException(
                    ErrorCode.NOT_SUPPORTED,
                    "EXPLAIN ANALYZE of live packets takes the name of a running query",
                    "CREATE QUERY name AS …, then EXPLAIN ANALYZE name");
        }
        return information.analyzed(
                query,
                () ->
                        live.isPresent()
                                ? live.get().facts().analyzed(query.name())
                                : replays.analyzed(query));
    }

    Answer.Texts shownSources() {
        return new Answer.Texts(SourceLine.HEADINGS, SourceLine.NUMBERS, this::sources);
    }

    NodeTables tables() {
        return tables;
    }

    /** Sets the answer to SHOW AUDIT, which is an error without it. */
    public EmbeddedNode withAudit(Answer.Texts latest) {
        audit = Optional.of(latest);
        return this;
    }

    Answer.Texts audit() {
        return audit.orElseThrow(Information::nothingNoted);
    }

    private String freeName(Set<String> taken) {
        int n = 1;
        while (taken.contains("q" + n) || catalog.find("q" + n).isPresent()) {
            n++;
        }
        return "q" + n;
    }

    QueryCatalog catalog() {
        return catalog;
    }

    synchronized OptionalLong create(Statement.CreateQuery create) {
        // A column that the sources do not carry is an error now, not when it is first read.
        create.query().all().forEach(one -> QueryCompiler.check(one, settings.layouts()));
        Optional<Query> before = catalog.find(create.query().name());
        OptionalLong version = catalog.create(create.query(), create.orReplace());
        try {
            live.ifPresent(engine -> engine.create(create.query()));
        } catch (RuntimeException refused) {
            before.ifPresentOrElse(
                    query -> catalog.create(query, true),
                    () -> catalog.drop(create.query().name(), true));
            throw refused;
        }
        return version;
    }

    /** Begins a live source. On a node without sources it is the first. */
    synchronized void createSource(Statement.CreateSource create) {
        SourceSpec spec = CreatedSource.of(create);
        if (live.filter(engine -> !engine.isOver() || !captures.isEmpty()).isPresent()) {
            live.get().createSource(create.name(), spec);
        } else if (captures.isEmpty()) {
            live.ifPresent(LiveEngine::close);
            live = Optional.of(firstSource(create.name(), spec));
            tables.store().watch();
        } else {
            throw new WeirException(
                    ErrorCode.NOT_SUPPORTED,
                    "this node reads captures, and " + spec.name() + " is live",
                    "the sources of one process are all live or all finite: start another node");
        }
    }

    private LiveEngine firstSource(String name, SourceSpec spec) {
        LiveEngine engine = new LiveEngine(settings.covering(List.of(spec)), Map.of(name, spec));
        try {
            for (Query query : catalog.all()) {
                engine.create(query);
                if (catalog.isPaused(query.name())) {
                    engine.pause(query);
                }
            }
        } catch (RuntimeException refused) {
            engine.close();
            throw refused;
        }
        return engine;
    }

    /** Ends a live source. */
    synchronized void dropSource(Statement.DropSource drop) {
        boolean dropped = live.map(engine -> engine.dropSource(drop.name())).orElse(false);
        if (!dropped && !drop.ifExists()) {
            throw new WeirException(
                    ErrorCode.INVALID_OPTION,
                    "there is no source " + drop.name(),
                    "SHOW SOURCES lists them");
        }
    }

    /** Returns a meter of the live sources. */
    public Meter sourceMeter() {
        return new SourceMeter(() -> live.flatMap(LiveEngine::sourceStatuses).orElse(List.of()));
    }

    /** Returns the rows of SHOW SOURCES. */
    List<List<String>> sources() {
        return live
                .flatMap(LiveEngine::sourceStatuses)
                .map(live -> live.stream().map(SourceLine::of).toList())
                .orElseGet(() -> SourceLine.finite(captures))
                .stream()
                .map(SourceLine::row)
                .toList();
    }

    synchronized void drop(Statement.DropQuery drop) {
        live.ifPresent(engine -> engine.drop(drop.name()));
        catalog.drop(drop.name(), !drop.exists());
    }

    /** Lets a query count nothing until {@link #resume}. Its open windows end. */
    synchronized void pause(String name) {
        if (!catalog.isPaused(name)) {
            live.ifPresent(engine -> engine.pause(query(name)));
            catalog.pause(name, true);
        }
    }

    synchronized void resume(String name) {
        if (catalog.isPaused(name)) {
            live.ifPresent(engine -> engine.resume(query(name)));
            catalog.pause(name, false);
        }
    }

    Query query(String name) {
        return catalog.find(name)
                .orElseThrow(
                        () ->
                                new WeirException(
                                        ErrorCode.UNKNOWN_QUERY, "there is no query " + name));
    }

    /** Makes a pass over the captures that prints the rows of some queries. The caller runs it. */
    public Replay replay(List<Query> queries, RowSink sink, Listener listener) {
        return replays.replay(queries, sink, listener);
    }

    /**
     * Begins to serve sessions. If a source can be read only once, all statements share one engine
     * from now on; else each replays the sources.
     *
     * @throws WeirException UNREADABLE_INPUT: a source cannot be read
     */
    public void open() {
        Sources.checkAll(captures);
        if (Sources.isReadOnce(captures) || Sources.isLive(captures)) {
            live = Optional.of(new LiveEngine(settings, Sources.named(captures)));
            if (Sources.isLive(captures)) {
                tables.store().watch();
            }
        }
    }

    /** Ends the shared engine, if there is one. */
    @Override
    public void close() {
        live.ifPresent(LiveEngine::close);
        tables.store().close();
    }

    /** Returns whether so many statements are attached to the shared engine. For tests. */
    boolean isRunning(int statements) {
        return live.filter(engine -> engine.running() >= statements).isPresent();
    }

    /** Returns what the shared engine has done, if there is one. */
    Optional<LiveFacts> facts() {
        return live.map(LiveEngine::facts);
    }

    RowProducer subscribe(Query query, Consumer<Outcome> ended) {
        return live.isPresent() ? live.get().subscribe(query.name()) : replays.all(query, ended);
    }

    @Override
    public SqlSession session(User user) {
        return new EmbeddedSession(this, user);
    }

    /**
     * Returns the one statement of a session's text, whose SELECTs from queries read their last
     * window. Throws NOT_ALLOWED if the user may not make it.
     */
    Statement statement(String sql, Placeholders values, User user) {
        Catalog seen = new UserCatalog(catalog, user, catalog::newTable);
        List<Statement> statements =
                new SqlFrontend(seen, SelectInput.LAST_WINDOW).parse(sql, values);
        if (statements.size() != 1) {
            throw new WeirException(
                    ErrorCode.SYNTAX,
                    statements.isEmpty() ? "there is no statement" : "one statement at a time");
        }
        Permissions.check(user, statements.get(0), catalog::find);
        return statements.get(0);
    }

    /** Returns a query to run now, under a name that no other has. */
    Query named(Query query) {
        return SubQueryNames.renamed(query, freeName(Set.of()));
    }

    RowProducer select(Query query, Consumer<Outcome> ended) {
        String stream = query.scan().stream();
        if (query.when().isPresent() || !SelectInput.LAST_WINDOW.isAtRest(catalog, stream)) {
            return live.isPresent() ? live.get().select(query) : replays.all(query, ended);
        }
        CompiledQuery select = QueryCompiler.compile(query, settings.layouts());
        return live.isPresent()
                ? live.get().lastWindow(stream, select)
                : new SnapshotProducer(replays.table(query(stream), ended), select);
    }

    Information information() {
        return information;
    }

    @Override
    public List<Stream> sysTables(User user) {
        return SysAnswer.tables(user, new EmbeddedSession(this, user)::shown);
    }

    @Override
    public List<Stream> streams() {
        return information.streams();
    }
}
