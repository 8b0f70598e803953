package io.weir.cluster.service;

import io.weir.cluster.audit.Audit;
import io.weir.cluster.audit.AuditEntry;
import io.weir.cluster.catalog.AuditNoting;
import io.weir.cluster.catalog.StatementCatalog;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.Topics;
import io.weir.cluster.kafka.audit.AuditTopic;
import io.weir.cluster.kafka.catalog.CatalogState;
import io.weir.cluster.kafka.catalog.KafkaCatalog;
import io.weir.cluster.kafka.heartbeat.WorkerTable;
import io.weir.cluster.merge.MergeStall;
import io.weir.cluster.metrics.Meter;
import io.weir.cluster.node.AccountTable;
import io.weir.cluster.node.Answer;
import io.weir.cluster.node.BindingLine;
import io.weir.cluster.node.CostTable;
import io.weir.cluster.node.Information;
import io.weir.cluster.node.LossTable;
import io.weir.cluster.node.NodeSettings;
import io.weir.cluster.node.SourceLine;
import io.weir.cluster.node.SqlNode;
import io.weir.cluster.node.SqlSession;
import io.weir.cluster.node.SysAnswer;
import io.weir.cluster.node.UserCatalog;
import io.weir.cluster.placement.ClusterPlacement;
import io.weir.cluster.protocol.MergeCounts;
import io.weir.cluster.security.Permissions;
import io.weir.cluster.security.User;
import io.weir.cluster.table.TableFolders;
import io.weir.cluster.trigger.ToldActivations;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Query;
import io.weir.sql.QueryCompiler;
import io.weir.sql.SqlFrontend;
import io.weir.sql.Statement;
import io.weir.sql.catalog.Catalog;
import io.weir.sql.catalog.Streams;
import io.weir.sql.plan.SelectInput;
import io.weir.sql.validate.Placeholders;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Speaks SQL for a cluster. Its queries are in Kafka's catalogue, workers run them, and their rows
 * come from Kafka's topics. It has no state of its own, so any other node can replace it.
 * Thread-safe.
 */
public final class ClusterNode implements SqlNode, AutoCloseable {
    private final KafkaSettings kafka;
    private final String author;
    private final KafkaCatalog catalog;
    private final WorkerTable workers;
    private final Audit audit;
    private final ServerTables tables;
    private final ClusterSelects selects;
    private final Information information;
    private volatile Supplier<Map<String, MergeCounts>> merges = Map::of;
    private volatile Supplier<List<MergeStall>> stalls = List::of;
    private volatile String merge = "";

    private ClusterNode(
            KafkaSettings kafka, KafkaCatalog catalog, String author, TableFolders folders) {
        this.kafka = kafka;
        this.author = author;
        this.catalog = catalog;
        this.workers = new WorkerTable(kafka);
        this.audit = new AuditTopic(kafka);
        this.tables = new ServerTables(catalog, folders);
        this.selects = new ClusterSelects(kafka, catalog, workers, tables);
        this.information =
                new Information(
                        catalog,
                        new SqlFrontend(catalog),
                        query ->
                                new ClusterPlacement(
                                                new StatementCatalog(query, catalog),
                                                catalog.state().slicedNodes())
                                        .explain(query),
                        NodeSettings.DEFAULT,
                        folders);
    }

    /**
     * Opens a node, and returns when it has read the catalogue.
     *
     * @param author of the edits made here, for people
     */
    public static ClusterNode open(KafkaSettings kafka, String author) {
        return open(kafka, author, TableFolders.none());
    }

    /**
     * Does the same.
     *
     * @param folders where files of lookup tables lie
     */
    public static ClusterNode open(KafkaSettings kafka, String author, TableFolders folders) {
        KafkaCatalog catalog = KafkaCatalog.open(kafka, author);
        ClusterNode node = new ClusterNode(kafka, catalog, author, folders);
        node.tables.start();
        node.workers.start();
        return node;
    }

    @Override
    public SqlSession session(User user) {
        return (sql, values) -> prepare(sql, values, user);
    }

    /** Returns the audit of the cluster's servers. */
    public Audit audit() {
        return audit;
    }

    /**
     * Shows the counts of the merge in this process, and its stalls.
     *
     * @param instance its name in heartbeats
     */
    void show(
            String instance,
            Supplier<Map<String, MergeCounts>> counts,
            Supplier<List<MergeStall>> standing) {
        merge = instance;
        merges = counts;
        stalls = standing;
    }

    /** Returns the meter of the cluster: any thread. */
    public Meter meter() {
        return new ClusterMeter(catalog, this::heard);
    }

    /** Returns the author of its edits, and of its merge's account. */
    String author() {
        return author;
    }

    KafkaCatalog catalog() {
        return catalog;
    }

    WorkerTable workers() {
        return workers;
    }

    private Answer prepare(String sql, Placeholders values, User user) {
        Statement statement = statement(sql, values, user);
        Permissions.check(user, statement, catalog::find);
        return answer(statement);
    }

    private Answer.Texts shown(Statement show) {
        return (Answer.Texts) answer(show);
    }

    private Answer answer(Statement statement) {
        if (statement instanceof Statement.Select select) {
            return selects.of(select.query());
        } else if (statement instanceof Statement.SelectSys sys) {
            return SysAnswer.of(sys, this::shown);
        } else if (statement instanceof Statement.DescribeSys described) {
            return SysAnswer.described(described, this::shown);
        } else if (statement instanceof Statement.Subscribe subscribe) {
            Query query = selects.definition(subscribe.name()).query();
            return new Answer.Flow(query.columns(), () -> new TailProducer(kafka, query));
        } else if (statement instanceof Statement.CreateQuery create) {
            return Answer.Change.noted(noting -> create(create, noting));
        } else if (statement instanceof Statement.DropQuery drop) {
            return change(noting -> catalog.drop(drop.name(), !drop.exists(), noting));
        } else if (statement instanceof Statement.PauseQuery pause) {
            return Answer.Change.noted(noting -> catalog.pause(pause.name(), true, noting));
        } else if (statement instanceof Statement.ResumeQuery resume) {
            return Answer.Change.noted(noting -> catalog.pause(resume.name(), false, noting));
        } else if (statement instanceof Statement.CreateAggregate create) {
            return change(noting -> catalog.create(create.aggregate(), create.orReplace(), noting));
        } else if (statement instanceof Statement.DropAggregate drop) {
            return change(noting -> catalog.dropAggregate(drop.name(), !drop.exists(), noting));
        } else if (statement instanceof Statement.CreateSource create) {
            return change(noting -> ClusterSources.create(catalog, create, noting));
        } else if (statement instanceof Statement.DropSource drop) {
            return change(noting -> catalog.dropSource(drop.name(), drop.ifExists(), noting));
        } else if (statement instanceof Statement.ShowSources) {
            return new Answer.Texts(
                    SourceLine.HEADINGS,
                    SourceLine.NUMBERS,
                    () -> ClusterSources.rows(catalog.state().sources().values(), heard()));
        } else if (statement instanceof Statement.ShowBindings) {
            return new Answer.Texts(
                    BindingLine.HEADINGS,
                    BindingLine.NUMBERS,
                    () ->
                            ClusterBindings.rows(
                                    catalog.state().definitions().values(),
                                    ToldActivations.read(kafka),
                                    workers.reachedNs()));
        } else if (statement instanceof Statement.CreateTable create) {
            return change(noting -> tables.create(create, noting));
        } else if (statement instanceof Statement.DropTable drop) {
            return change(noting -> catalog.dropTable(drop.name(), !drop.exists(), noting));
        } else if (statement instanceof Statement.ShowTables) {
            return tables.shown();
        } else if (statement instanceof Statement.ShowAudit) {
            return new Answer.Texts(
                    AuditEntry.HEADINGS,
                    () -> audit.last(Audit.SHOWN).stream().map(AuditEntry::row).toList());
        } else if (statement instanceof Statement.ShowWorkers) {
            return new Answer.Texts(
                    WorkerRows.HEADINGS, WorkerRows.NUMBERS, () -> WorkerRows.of(heard()));
        } else if (statement instanceof Statement.ShowEvents) {
            return new Answer.Texts(FaultRows.HEADINGS, this::events);
        } else if (statement instanceof Statement.ShowAccount) {
            return new Answer.Texts(
                    AccountRows.HEADINGS,
                    AccountTable.NUMBERS,
                    () -> AccountRows.of(heard(), workers.servers()));
        }
        return cost(statement).orElseGet(() -> information.answer(statement));
    }

    /** Answers from what heartbeats tell of queries; empty for any other statement. */
    private Optional<Answer> cost(Statement statement) {
        if (statement instanceof Statement.ShowQueries) {
            return Optional.of(information.queries(() -> QueryWorks.stages(heard())));
        } else if (statement instanceof Statement.ShowQueryCost) {
            return Optional.of(
                    new Answer.Texts(
                            QueryWorks.COSTS,
                            CostTable.NUMBERS,
                            CostTable.DECIMALS,
                            () -> QueryWorks.costs(heard())));
        } else if (statement instanceof Statement.ShowLoss) {
            return Optional.of(
                    new Answer.Texts(
                            QueryWorks.LOSSES,
                            LossTable.NUMBERS,
                            () -> QueryWorks.losses(heard(), workers.servers())));
        } else if (statement instanceof Statement.Analyze analyze) {
            return Optional.of(analyzed(analyze));
        }
        return Optional.empty();
    }

    private Answer analyzed(Statement.Analyze analyze) {
        if (!analyze.created()) {
            throw new WeirException(
                    ErrorCode.NOT_SUPPORTED,
                    "EXPLAIN ANALYZE in a cluster takes the name of a running query",
                    "CREATE QUERY name AS …, then EXPLAIN ANALYZE name");
        }
        Query query = analyze.query();
        return information.analyzed(query, () -> QueryWorks.analyzed(query.name(), heard()));
    }

    private static Answer change(Consumer<Optional<AuditNoting>> action) {
        return Answer.Change.noted(
                noting -> {
                    action.accept(noting);
                    return OptionalLong.empty();
                });
    }

    /** Present faults come last, where a person at a terminal sees them. */
    private List<List<String>> events() {
        List<WorkerTable.Worker> heard = heard();
        List<List<String>> rows = new ArrayList<>(WakeRows.of(heard));
        rows.addAll(FaultRows.unheard(workers.trouble()));
        rows.addAll(FaultRows.of(catalog.state().faults(), heard, merges.get()));
        if (!merge.isEmpty()) {
            rows.addAll(tables.faults());
        }
        rows.addAll(FaultRows.stalled(merge, stalls.get(), workers.liveServers()));
        return rows;
    }

    /** Returns the workers with their last heartbeats, except retired ones. */
    List<WorkerTable.Worker> heard() {
        CatalogState known = catalog.state();
        return workers.workers().stream()
                .filter(one -> !known.isRetired(one.beat().getWorker(), one.beat().getLife()))
                .toList();
    }

    private Statement statement(String sql, Placeholders values, User user) {
        Catalog seen = new UserCatalog(catalog, user, tables::newTable);
        List<Statement> statements =
                new SqlFrontend(seen, SelectInput.LAST_WINDOW).parse(sql, values);
        if (statements.size() != 1) {
            throw new WeirException(
                    ErrorCode.SYNTAX,
                    statements.isEmpty() ? "there is no statement" : "one statement at a time");
        }
        return statements.get(0);
    }

    private OptionalLong create(Statement.CreateQuery create, Optional<AuditNoting> noting) {
        // A query that no worker can compile must fail here, and not later in every worker.
        Query query = create.query();
        QueryCompiler.checkDistributed(query);
        query.all().forEach(one -> QueryCompiler.check(one, NodeSettings.DEFAULT.layouts()));
        if (create.orReplace() || catalog.find(query.name()).isEmpty()) {
            // A query that the registry refuses must fail here too: nobody could write its rows.
            var unused = kafka.rows().encoder(query, Topics.results(query.name()));
        }
        return catalog.create(create.query(), create.orReplace(), noting);
    }

    @Override
    public List<Stream> sysTables(User user) {
        return SysAnswer.tables(user, this::shown);
    }

    @Override
    public List<Stream> streams() {
        Streams all = new Streams(catalog);
        List<Stream> streams = new ArrayList<>();
        for (String name : all.names()) {
            boolean isQuery = catalog.find(name).isPresent();
            all.find(name)
                    .ifPresent(stream -> streams.add(new Stream(name, isQuery, stream.columns())));
        }
        return streams;
    }

    @Override
    public void close() {
        workers.close();
        audit.close();
        tables.close();
        catalog.close();
    }
}
