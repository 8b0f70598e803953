package io.weir.cluster.service;

import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.catalog.Definition;
import io.weir.cluster.kafka.catalog.KafkaCatalog;
import io.weir.cluster.kafka.heartbeat.WorkerTable;
import io.weir.cluster.kafka.results.CompletenessFrontier;
import io.weir.cluster.merge.PartialRouting;
import io.weir.cluster.merge.ShardsPassed;
import io.weir.cluster.node.Answer;
import io.weir.cluster.node.NodeSettings;
import io.weir.cluster.node.RowProducer;
import io.weir.cluster.protocol.RowsPlace;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.SubQueryNames;
import io.weir.sql.QueryCompiler;
import io.weir.sql.plan.SelectInput;
import java.util.ArrayDeque;
import java.util.List;

/**
 * Answers SELECT at a cluster's server: it reads the last windows of running queries. Any thread.
 */
final class ClusterSelects {
    private final KafkaSettings kafka;
    private final KafkaCatalog catalog;
    private final WorkerTable workers;
    private final ServerTables tables;

    ClusterSelects(
            KafkaSettings kafka, KafkaCatalog catalog, WorkerTable workers, ServerTables tables) {
        this.kafka = kafka;
        this.catalog = catalog;
        this.workers = workers;
        this.tables = tables;
    }

    Answer of(Query query) {
        if (query.all().stream().anyMatch(one -> one.reads().isSpread())) {
            throw new WeirException(
                    ErrorCode.NOT_SUPPORTED,
                    "the packets are at the workers: a SELECT cannot read them here",
                    "CREATE QUERY name AS …, then SUBSCRIBE name, or SELECT … FROM name");
        } else if (query.when().isPresent()) {
            throw new WeirException(
                    ErrorCode.NOT_SUPPORTED,
                    "a SELECT from " + query.scan().stream() + " cannot wait for a condition here",
                    "CREATE QUERY name AS … WHEN …");
        }
        query.all().stream().flatMap(one -> one.scan().queries().stream()).forEach(this::checkRest);
        tables.check(query);
        boolean alone = query.parts().isEmpty() && query.scan().of().isEmpty();
        return new Answer.Flow(
                query.columns(),
                () ->
                        alone
                                ? lastWindow(query.scan().stream(), List.of(query))
                                : new RestingRowsProducer(
                                        query,
                                        name -> definition(name).query(),
                                        name -> lastWindow(name, List.of())));
    }

    private void checkRest(String read) {
        if (!SubQueryNames.isOne(read) && !SelectInput.LAST_WINDOW.isAtRest(catalog, read)) {
            throw new WeirException(
                    ErrorCode.NOT_SUPPORTED,
                    read + " has no windows, so there is no last one to select from",
                    "SUBSCRIBE " + read + " shows its rows as they come");
        }
    }

    /**
     * Reads the last window of a query. A query that only passes the rows of a table on is skipped:
     * its topic has only the changes.
     *
     * @param seen applied to the rows one after the other
     */
    private RowProducer lastWindow(String name, List<Query> seen) {
        ArrayDeque<Query> selects = new ArrayDeque<>(seen);
        Definition upstream = definition(name);
        while (passesTable(upstream.query())) {
            selects.addFirst(upstream.query());
            upstream = definition(upstream.query().scan().stream());
        }
        Definition read = upstream;
        return new LastWindowProducer(
                kafka,
                read,
                selects.stream()
                        .map(q -> QueryCompiler.compile(q, NodeSettings.DEFAULT.layouts()))
                        .toList(),
                () -> whole(read));
    }

    private static boolean passesTable(Query query) {
        return query.isTable() && query.aggregate().isEmpty() && query.when().isEmpty();
    }

    /** Returns how far the writers of a query's rows are. */
    private CompletenessFrontier whole(Definition query) {
        long workersNs = workers.rowsPassedNs(query.name(), query.rowsVersion());
        boolean inShards =
                new PartialRouting(catalog.state()).made(query.query()) == RowsPlace.IN_SHARDS;
        return new CompletenessFrontier(
                workersNs, inShards ? ShardsPassed.read(kafka) : Long.MAX_VALUE);
    }

    /** Returns a query of the catalogue, which is there. */
    Definition definition(String name) {
        Definition definition = catalog.state().definitions().get(name);
        if (definition == null) {
            throw new WeirException(ErrorCode.UNKNOWN_QUERY, "there is no query " + name);
        }
        return definition;
    }
}
