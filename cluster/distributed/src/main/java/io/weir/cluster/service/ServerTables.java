package io.weir.cluster.service;

import io.weir.cluster.catalog.AuditNoting;
import io.weir.cluster.kafka.catalog.CatalogState;
import io.weir.cluster.kafka.catalog.KafkaCatalog;
import io.weir.cluster.node.Answer;
import io.weir.cluster.table.CatalogTables;
import io.weir.cluster.table.TableFolders;
import io.weir.cluster.table.TableLine;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.LookupTable;
import io.weir.operators.graph.Query;
import io.weir.operators.kernel.KernelCompiler;
import io.weir.operators.ring.ThreadEnd;
import io.weir.operators.time.Clock;
import io.weir.sql.Statement;
import io.weir.sql.catalog.TableSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The lookup tables of a cluster on a server. Its SELECTs and its merge read them. A thread of its
 * own follows the catalogue and the files. Any thread.
 */
final class ServerTables implements AutoCloseable {
    private static final long LOOK_MS = 1_000;
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final KafkaCatalog catalog;
    private final CatalogTables tables;
    private final Thread thread = new Thread(this::run, "weir-tables");
    private volatile boolean closed;

    ServerTables(KafkaCatalog catalog, TableFolders folders) {
        this.catalog = catalog;
        tables = new CatalogTables(folders, Clock.SYSTEM);
        thread.setDaemon(true);
    }

    /** Returns when the tables of the catalogue were read. */
    ServerTables start() {
        tables.follow(catalog.state().tables().values());
        thread.start();
        return this;
    }

    private void run() {
        CatalogState known = catalog.state();
        try {
            while (!closed) {
                known = catalog.awaitOther(known, LOOK_MS);
                tables.follow(known.tables().values());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (WeirException away) {
            return; // the catalogue has failed, and so each statement does
        }
    }

    LookupTable newTable(TableSpec spec) {
        return tables.newTable(spec);
    }

    /** Adds a table to the catalogue, with the hash of this server's file. */
    void create(Statement.CreateTable create, Optional<AuditNoting> noting) {
        if (create.spec().reload()) {
            throw new WeirException(
                    ErrorCode.NOT_SUPPORTED,
                    "in a cluster a changed file is not read by itself",
                    "leave reload out: copy the file to all workers and servers, then CREATE OR"
                            + " REPLACE TABLE");
        }
        String hash = tables.check(create.spec(), create.table());
        catalog.createTable(create, hash, noting);
        tables.follow(catalog.state().tables().values());
    }

    /** Answers SHOW TABLES. */
    Answer.Texts shown() {
        return new Answer.Texts(
                TableLine.HEADINGS,
                TableLine.NUMBERS,
                () -> {
                    tables.follow(catalog.state().tables().values());
                    return tables.lines().stream().map(TableLine::row).toList();
                });
    }

    /** Fails if a query reads a table that this server does not have. */
    void check(Query query) {
        for (Query one : query.all()) {
            Optional<String> lack = tables.lack(KernelCompiler.tables(one));
            if (lack.isPresent()) {
                throw new WeirException(
                        ErrorCode.UNREADABLE_INPUT,
                        lack.get(),
                        "SHOW TABLES tells each; weir server --tables FOLDER names the folders");
            }
        }
    }

    /** Returns rows of SHOW EVENTS for the queries that the merge here cannot run. */
    List<List<String>> faults() {
        List<List<String>> rows = new ArrayList<>();
        CatalogState state = catalog.state();
        for (Query query : state.tables().isEmpty() ? List.<Query>of() : state.running()) {
            if (!query.reads().isSpread()) {
                tables.lack(KernelCompiler.tables(query))
                        .ifPresent(
                                why ->
                                        rows.add(
                                                List.of(
                                                        "does not run",
                                                        query.name(),
                                                        "merge of this server",
                                                        why)));
            }
        }
        return rows;
    }

    @Override
    public void close() {
        closed = true;
        ThreadEnd.await(thread, PATIENCE);
        tables.close();
    }
}
