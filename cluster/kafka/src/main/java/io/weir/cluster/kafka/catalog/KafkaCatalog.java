package io.weir.cluster.kafka.catalog;

import io.weir.cluster.catalog.AuditNoting;
import io.weir.cluster.catalog.MemoryCatalog;
import io.weir.cluster.catalog.QueryCatalog;
import io.weir.cluster.kafka.KafkaCalls;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.Topics;
import io.weir.cluster.wire.CatalogRecord;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Query;
import io.weir.sql.Statement;
import io.weir.sql.catalog.Catalog;
import io.weir.sql.catalog.DefinedAggregate;
import io.weir.sql.catalog.ForwardingCatalog;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BiFunction;

/**
 * The catalogue of a cluster, in a compacted topic. Each process reads all of it. The writer of an
 * edit checks it, one edit at a time (ADR 0030). Its author sees a change when the call returns,
 * everybody else a few milliseconds later. Thread-safe.
 */
public final class KafkaCatalog implements QueryCatalog, ForwardingCatalog, AutoCloseable {
    private final KafkaSettings settings;
    private final CatalogRecords records;
    private final CatalogWriter writer;
    private final CatalogLog log;

    private KafkaCatalog(
            KafkaSettings settings, String author, CatalogWriter writer, CatalogLog log) {
        this.settings = settings;
        records = new CatalogRecords(settings.clock(), author);
        this.writer = writer;
        this.log = log;
    }

    /**
     * Opens the catalogue, and returns when it has read all records.
     *
     * @param author of edits, for people
     */
    public static KafkaCatalog open(KafkaSettings settings, String author) {
        Topics.ensure(settings);
        return opened(settings, author);
    }

    /** Opens a read-only catalogue for a worker, which need not see everything in Kafka. */
    public static KafkaCatalog openForWorker(KafkaSettings settings, String worker) {
        Topics.ensureForWorker(settings);
        return opened(settings, worker);
    }

    private static KafkaCatalog opened(KafkaSettings settings, String author) {
        CatalogWriter writer = new CatalogWriter(settings);
        KafkaCatalog[] opened = new KafkaCatalog[1];
        try {
            KafkaCalls.run(
                    settings,
                    "the catalogue cannot be read",
                    () -> {
                        long end = writer.end();
                        CatalogLog log = new CatalogLog(settings, end).start();
                        opened[0] = new KafkaCatalog(settings, author, writer, log);
                        log.await(end);
                    });
            return opened[0];
        } catch (RuntimeException e) {
            writer.close();
            if (opened[0] != null) {
                opened[0].close();
            }
            throw e;
        }
    }

    /** Returns the present state to a caller that only looks. It creates and changes nothing. */
    public static CatalogState look(KafkaSettings settings) {
        CatalogState[] seen = new CatalogState[1];
        try (CatalogWriter ends = new CatalogWriter(settings)) {
            KafkaCalls.run(
                    settings,
                    "the catalogue cannot be read",
                    () -> {
                        long end = ends.end();
                        try (CatalogLog log = new CatalogLog(settings, end).start()) {
                            seen[0] = log.await(end);
                        }
                    });
        }
        return seen[0];
    }

    /** Returns the present state. */
    public CatalogState state() {
        return log.state();
    }

    /** Returns the records that a worker stores. */
    CatalogCopy.Kept kept() {
        return log.kept();
    }

    /** Waits for a state other than this one, or for the time-out, and returns the state. */
    public CatalogState awaitOther(CatalogState known, long timeoutMs) throws InterruptedException {
        return log.awaitOther(known, timeoutMs);
    }

    @Override
    public Catalog base() {
        return state();
    }

    @Override
    public List<Query> all() {
        return state().queries();
    }

    @Override
    public OptionalLong create(Query query, boolean orReplace) {
        return create(query, orReplace, Optional.empty());
    }

    /** Creates a query and its audit note in one transaction. */
    public OptionalLong create(Query query, boolean orReplace, Optional<AuditNoting> noting) {
        ensureResults(List.of(query.name()));
        return edit(
                query.name(),
                (state, end) -> {
                    Query planned = Planning.create(query.sql(), state).query();
                    MemoryCatalog judge = new MemoryCatalog(state.queries());
                    boolean stays = judge.hasReaders(query.name());
                    judge.create(planned, orReplace);
                    long place = stays ? state.definitions().get(query.name()).place() : (long) end;
                    return Optional.of(new CatalogWriter.Edit(records.of(planned, place)));
                },
                noting);
    }

    /** Creates the missing topics of these queries' rows. */
    public void ensureResults(Collection<String> queries) {
        KafkaCalls.run(settings, "topics cannot be made", () -> writer.ensureResults(queries));
    }

    @Override
    public void drop(String name, boolean ifExists) {
        drop(name, ifExists, Optional.empty());
    }

    /** Drops a query and writes its audit note in one transaction. */
    public void drop(String name, boolean ifExists, Optional<AuditNoting> noting) {
        var unused =
                edit(
                        name,
                        (state, end) -> {
                            boolean aside =
                                    state.faults().stream().anyMatch(f -> f.name().equals(name));
                            if (!aside) {
                                new MemoryCatalog(state.queries()).drop(name, ifExists);
                            }
                            return aside || state.find(name).isPresent()
                                    ? Optional.of(new CatalogWriter.Edit(null))
                                    : Optional.empty();
                        },
                        noting);
    }

    @Override
    public boolean isPaused(String name) {
        Definition found = state().definitions().get(name);
        return found != null && found.paused();
    }

    @Override
    public void pause(String name, boolean paused) {
        var unused = pause(name, paused, Optional.empty());
    }

    /** Pauses a query, or lets it count again, and writes its audit note in one transaction. */
    public OptionalLong pause(String name, boolean paused, Optional<AuditNoting> noting) {
        return edit(
                name,
                (state, end) -> {
                    Definition found = state.definitions().get(name);
                    if (found == null) {
                        throw new WeirException(
                                ErrorCode.UNKNOWN_QUERY,
                                "there is no query " + name,
                                "SHOW QUERIES lists them");
                    }
                    byte[] record =
                            paused
                                    ? records.ofPaused(
                                            found.query(), found.place(), found.version())
                                    : records.of(found.query(), found.place());
                    return found.paused() == paused
                            ? Optional.empty()
                            : Optional.of(new CatalogWriter.Edit(record));
                },
                noting);
    }

    /**
     * Returns the existing replay of this name; otherwise creates this one.
     *
     * @throws WeirException INVALID_OPTION when one exists that is split or named otherwise
     */
    public SlicedReplay share(SlicedReplay wanted) {
        edit(
                SlicedReplay.key(wanted.name()),
                (state, end) ->
                        state.slices().containsKey(wanted.name())
                                ? Optional.empty()
                                : Optional.of(new CatalogWriter.Edit(records.of(wanted))));
        SlicedReplay there = state().slices().get(wanted.name());
        if (there == null
                || there.count() != wanted.count()
                || !there.nodes().equals(wanted.nodes())) {
            throw new WeirException(
                    ErrorCode.INVALID_OPTION,
                    "the slices " + wanted.name() + " are there, and are others: " + there,
                    "take another name, or remove them with weir slices --drop");
        }
        return there;
    }

    /** Removes a replay. Its workers, if there are any, must end first. */
    public void forgetSlices(String name) {
        edit(
                SlicedReplay.key(name),
                (state, end) ->
                        state.slices().containsKey(name)
                                ? Optional.of(new CatalogWriter.Edit(null))
                                : Optional.empty());
    }

    /**
     * Creates a live source and its audit note in one transaction.
     *
     * @throws WeirException INVALID_OPTION: the name is taken
     */
    public void createSource(NamedSource source, Optional<AuditNoting> noting) {
        byte[] record = records.of(CatalogRecord.newBuilder().setSource(source.record()));
        var unused =
                edit(
                        NamedSource.key(source.name()),
                        (state, end) -> {
                            if (state.sources().containsKey(source.name())) {
                                throw new WeirException(
                                        ErrorCode.INVALID_OPTION,
                                        "there is a source " + source.name(),
                                        "DROP SOURCE " + source.name() + " first");
                            }
                            return Optional.of(new CatalogWriter.Edit(record));
                        },
                        noting);
    }

    /**
     * Drops a live source and writes its audit note in one transaction.
     *
     * @throws WeirException INVALID_OPTION: there is none
     */
    public void dropSource(String name, boolean ifExists, Optional<AuditNoting> noting) {
        var unused =
                edit(
                        NamedSource.key(name),
                        (state, end) -> {
                            boolean is = state.sources().containsKey(name);
                            if (!is && !ifExists) {
                                throw new WeirException(
                                        ErrorCode.INVALID_OPTION,
                                        "there is no source " + name,
                                        "SHOW SOURCES lists them");
                            }
                            return is
                                    ? Optional.of(new CatalogWriter.Edit(null))
                                    : Optional.empty();
                        },
                        noting);
    }

    @Override
    public void create(DefinedAggregate aggregate, boolean orReplace) {
        create(aggregate, orReplace, Optional.empty());
    }

    /** Creates an aggregate and its audit note in one transaction. */
    public void create(
            DefinedAggregate aggregate, boolean orReplace, Optional<AuditNoting> noting) {
        byte[] record = records.of(AggregateRecords.of(aggregate));
        var unused =
                edit(
                        AggregateRecords.key(aggregate.name()),
                        (state, end) -> {
                            AggregateRecords.checkCreate(aggregate.name(), orReplace, state);
                            return Optional.of(new CatalogWriter.Edit(record));
                        },
                        noting);
    }

    @Override
    public void dropAggregate(String name, boolean ifExists) {
        dropAggregate(name, ifExists, Optional.empty());
    }

    /** Drops an aggregate and writes its audit note in one transaction. */
    public void dropAggregate(String name, boolean ifExists, Optional<AuditNoting> noting) {
        var unused =
                edit(
                        AggregateRecords.key(name),
                        (state, end) -> gone(AggregateRecords.checkDrop(name, ifExists, state)),
                        noting);
    }

    /**
     * Creates a lookup table and its audit note in one transaction.
     *
     * @param hash SHA-256 of its file
     */
    public void createTable(
            Statement.CreateTable create, String hash, Optional<AuditNoting> noting) {
        byte[] record = records.of(TableRecords.of(create, hash));
        var unused =
                edit(
                        TableRecords.key(create.spec().name()),
                        (state, end) -> {
                            TableRecords.checkCreate(create, state);
                            return Optional.of(new CatalogWriter.Edit(record));
                        },
                        noting);
    }

    /** Drops a lookup table and writes its audit note in one transaction. */
    public void dropTable(String name, boolean ifExists, Optional<AuditNoting> noting) {
        var unused =
                edit(
                        TableRecords.key(name),
                        (state, end) -> gone(TableRecords.checkDrop(name, ifExists, state)),
                        noting);
    }

    private static Optional<CatalogWriter.Edit> gone(boolean wasThere) {
        return wasThere ? Optional.of(new CatalogWriter.Edit(null)) : Optional.empty();
    }

    /** Stops waiting for this process of a worker. */
    public void retire(Retirement worker) {
        edit(
                Retirement.key(worker.worker()),
                (state, end) ->
                        state.isRetired(worker.worker(), worker.life())
                                ? Optional.empty()
                                : Optional.of(new CatalogWriter.Edit(records.of(worker))));
    }

    private void edit(
            String name, BiFunction<CatalogState, Long, Optional<CatalogWriter.Edit>> judge) {
        var unused = edit(name, judge, Optional.empty());
    }

    private OptionalLong edit(
            String name,
            BiFunction<CatalogState, Long, Optional<CatalogWriter.Edit>> judge,
            Optional<AuditNoting> noting) {
        OptionalLong[] version = {OptionalLong.empty()};
        KafkaCalls.run(
                settings,
                "the catalogue cannot be changed",
                () -> version[0] = writer.write(log, name, judge, noting));
        return version[0];
    }

    @Override
    public void close() {
        log.close();
        writer.close();
    }
}
