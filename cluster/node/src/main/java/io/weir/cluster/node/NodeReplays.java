package io.weir.cluster.node;

import io.weir.cluster.catalog.Dependencies;
import io.weir.cluster.catalog.QueryCatalog;
import io.weir.ingest.source.SourceSpec;
import io.weir.ingest.source.Sources;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Query;
import io.weir.operators.rows.RowSink;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Makes passes over the captures of a node, with the queries that they need. Thread-safe. */
final class NodeReplays {
    private final NodeSettings settings;
    private final List<SourceSpec> captures;
    private final NodeTables tables;
    private final QueryCatalog catalog;

    NodeReplays(
            NodeSettings settings,
            List<SourceSpec> captures,
            NodeTables tables,
            QueryCatalog catalog) {
        this.settings = settings;
        this.captures = captures;
        this.tables = tables;
        this.catalog = catalog;
    }

    /** Runs a query over the captures, and returns its cost. */
    List<List<String>> analyzed(Query query) {
        Report report = replay(List.of(query), batch -> {}, new Events(event -> {})).run();
        report.throwFailure();
        return QueryAnalysis.lines(query.name(), report.rates(), report.stages());
    }

    /** Makes a pass over the captures that prints the rows of some queries. The caller runs it. */
    Replay replay(List<Query> queries, RowSink sink, Listener listener) {
        Replay replay = newReplay(listener);
        Map<String, Query> printed =
                queries.stream().collect(Collectors.toMap(Query::name, Function.identity()));
        Function<String, Optional<Query>> byName =
                name -> Optional.ofNullable(printed.get(name)).or(() -> catalog.find(name));
        for (Query query : Dependencies.closure(queries, byName)) {
            if (catalog.isPaused(query.name())) {
                replay.pause(query);
            }
            if (printed.containsKey(query.name())) {
                replay.add(query, sink);
            } else {
                replay.add(query);
            }
        }
        return replay;
    }

    /**
     * Makes a pass that gives all rows of a keyed table at each change of the table, and so at the
     * end.
     */
    private Replay replayTable(Query table, RowSink sink, Listener listener) {
        Replay replay = newReplay(listener);
        for (Query query : Dependencies.closure(List.of(table), catalog::find)) {
            if (catalog.isPaused(query.name())) {
                replay.pause(query);
            }
            if (query.name().equals(table.name())) {
                replay.addTable(query, sink);
            } else {
                replay.add(query);
            }
        }
        return replay;
    }

    private Replay newReplay(Listener listener) {
        if (captures.isEmpty()) {
            throw new WeirException(
                    ErrorCode.INVALID_OPTION,
                    "there are no packets to read",
                    "name capture files with --pcap");
        }
        Sources.checkAll(captures);
        tables.store().reload(true);
        return new Replay(settings, captures, listener);
    }

    /** Returns all rows that the query emits in a replay. */
    ReplayProducer all(Query query, Consumer<Outcome> ended) {
        return new ReplayProducer((sink, events) -> replay(List.of(query), sink, events), ended);
    }

    /** Does the same, but for a keyed table it returns all rows at each change of the table. */
    ReplayProducer table(Query query, Consumer<Outcome> ended) {
        return query.isTable()
                ? new ReplayProducer((sink, events) -> replayTable(query, sink, events), ended)
                : all(query, ended);
    }
}
