package io.weir.cluster.node;

import io.weir.cluster.catalog.QueryCatalog;
import io.weir.cluster.catalog.StatementCatalog;
import io.weir.cluster.table.TableFolders;
import io.weir.operators.account.Stage;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.Sharing;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.rows.RowLayout;
import io.weir.sql.Listing;
import io.weir.sql.QueryCompiler;
import io.weir.sql.SqlFrontend;
import io.weir.sql.Statement;
import io.weir.sql.catalog.Streams;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Answers of SHOW, DESCRIBE, EXPLAIN and TEST: rows of text. This class adds the facts that only
 * this node knows.
 */
public final class Information {
    private final QueryCatalog catalog;
    private final SqlFrontend frontend;
    private final Function<Query, String> place;
    private final NodeSettings settings;
    private final TableFolders folders;

    /**
     * @param place where a query runs, as EXPLAIN says it
     * @param folders where files of TEST QUERY lie
     */
    public Information(
            QueryCatalog catalog,
            SqlFrontend frontend,
            Function<Query, String> place,
            NodeSettings settings,
            TableFolders folders) {
        this.catalog = catalog;
        this.frontend = frontend;
        this.place = place;
        this.settings = settings;
        this.folders = folders;
    }

    /** As of now: later statements of the same text may change the catalogue. */
    public Answer.Texts answer(Statement statement) {
        if (statement instanceof Statement.Explain explain && explain.kernel()) {
            return lines(kernel(explain.query()));
        }
        if (statement instanceof Statement.TestQuery test) {
            return new QueryTest(catalog, settings, folders).answer(test);
        }
        if (statement instanceof Statement.ShowQueries) {
            return queries(List::of);
        }
        Listing listing = frontend.listing(statement);
        List<List<String>> rows = new ArrayList<>(listing.rows());
        if (statement instanceof Statement.Explain explain) {
            rows.add(List.of(place.apply(explain.query())));
            shared(explain.query()).ifPresent(line -> rows.add(List.of(line)));
        }
        return new Answer.Texts(listing.columns(), () -> rows);
    }

    /**
     * Returns the queries, with what the account says of their bindings.
     *
     * @param account of the moment at which it is shown
     */
    public Answer.Texts queries(Supplier<List<Stage.Snapshot>> account) {
        Listing listing = frontend.listing(new Statement.ShowQueries());
        Set<String> paused =
                listing.rows().stream()
                        .map(row -> row.get(0))
                        .filter(catalog::isPaused)
                        .collect(Collectors.toSet());
        return QueryTable.of(listing, paused, account);
    }

    /**
     * Returns the plan of a query, and lines about its work that are made when they are shown.
     *
     * @param work the lines
     */
    public Answer.Texts analyzed(Query query, Supplier<List<List<String>>> work) {
        Answer.Texts plan = answer(new Statement.Explain(query, false));
        return new Answer.Texts(
                plan.headings(),
                () -> {
                    List<List<String>> lines = new ArrayList<>(plan.rows().get());
                    if (catalog.isPaused(query.name())) {
                        lines.add(List.of("paused: RESUME QUERY " + query.name()));
                    }
                    lines.addAll(work.get());
                    return lines;
                });
    }

    /** Fails for a statement that only a cluster can answer. */
    static void checkAnswered(Statement statement) {
        if (statement instanceof Statement.ShowAudit) {
            throw nothingNoted();
        } else if (statement instanceof Statement.ShowWorkers) {
            throw new WeirException(
                    ErrorCode.NOT_SUPPORTED,
                    "there are no workers: this is one machine",
                    "weir server --kafka HOST:PORT speaks for a cluster");
        }
    }

    static WeirException nothingNoted() {
        return new WeirException(
                ErrorCode.NOT_SUPPORTED,
                "no statement is noted here",
                "weir server --audit FILE notes them");
    }

    /** Returns the streams and queries, for drivers that list them. */
    List<SqlNode.Stream> streams() {
        Streams all = new Streams(catalog);
        List<SqlNode.Stream> streams = new ArrayList<>();
        for (String name : all.names()) {
            all.find(name)
                    .ifPresent(
                            stream ->
                                    streams.add(
                                            new SqlNode.Stream(
                                                    name,
                                                    catalog.find(name).isPresent(),
                                                    stream.columns())));
        }
        return streams;
    }

    private static Answer.Texts lines(List<String> lines) {
        return new Answer.Texts(List.of("code"), () -> lines.stream().map(List::of).toList());
    }

    /** Names the queries of the catalogue that share its map and kernel when they run together. */
    private Optional<String> shared(Query query) {
        Optional<Sharing.Key> key = Sharing.key(query);
        List<String> others =
                catalog.all().stream()
                        .filter(other -> !other.name().equals(query.name()))
                        .filter(other -> key.isPresent() && Sharing.key(other).equals(key))
                        .map(Query::name)
                        .toList();
        return others.isEmpty()
                ? Optional.empty()
                : Optional.of("shared with " + String.join(", ", others));
    }

    private List<String> kernel(Query query) {
        CompiledQuery code = QueryCompiler.compile(query, settings.layouts());
        List<String> lines = new ArrayList<>();
        if (query.reads().isOfQuery()) {
            code.source(read(query, code)).lines().forEach(lines::add);
            return lines;
        }
        for (GpvLayout layout : settings.layouts()) {
            lines.add("// layout " + layout.name() + ", IPv" + layout.family());
            code.source(layout).lines().forEach(lines::add);
        }
        return lines;
    }

    /** Returns the layout of the rows that a query reads. */
    private RowLayout read(Query query, CompiledQuery code) {
        if (query.scan().join().isPresent()) {
            return code.combinedLayout();
        }
        String first = query.scan().queries().get(0);
        Query upstream = new StatementCatalog(query, catalog).find(first).orElseThrow();
        return QueryCompiler.compile(upstream, settings.layouts()).rowLayout();
    }
}
