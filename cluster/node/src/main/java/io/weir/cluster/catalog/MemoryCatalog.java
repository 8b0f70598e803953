package io.weir.cluster.catalog;

import io.weir.cluster.table.TableStore;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.LookupTable;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.SubQueryNames;
import io.weir.sql.catalog.DefinedAggregate;
import io.weir.sql.catalog.TableSpec;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The catalogue of one process. A query can be created only when its upstreams exist. It keeps its
 * place when it is replaced while others read it, so the order respects dependencies.
 */
public final class MemoryCatalog implements QueryCatalog {
    private static final int LIMIT = 1_000;

    private final Map<String, Query> queries = new LinkedHashMap<>();
    private final Set<String> paused = new HashSet<>();
    private final Map<String, DefinedAggregate> aggregates = new LinkedHashMap<>();
    private final Optional<TableStore> tables;

    public MemoryCatalog() {
        this(Optional.empty());
    }

    /**
     * @param tables the lookup tables that its queries can read
     */
    public MemoryCatalog(Optional<TableStore> tables) {
        this.tables = tables;
    }

    /**
     * @param present its content, each query after those that it needs
     */
    public MemoryCatalog(List<Query> present) {
        this();
        present.forEach(query -> queries.put(query.name(), query));
    }

    @Override
    public synchronized Optional<Query> find(String name) {
        Query found = queries.get(name);
        return found != null || !SubQueryNames.isOne(name)
                ? Optional.ofNullable(found)
                : Optional.ofNullable(queries.get(SubQueryNames.owner(name)))
                        .flatMap(owner -> owner.part(name));
    }

    @Override
    public synchronized List<String> names() {
        return List.copyOf(queries.keySet());
    }

    @Override
    public Optional<LookupTable> table(String name) {
        return tables.flatMap(store -> store.find(name));
    }

    @Override
    public List<String> tableNames() {
        return tables.map(TableStore::names).orElse(List.of());
    }

    @Override
    public LookupTable newTable(TableSpec spec) {
        return tables.map(store -> store.newTable(spec))
                .orElseGet(() -> QueryCatalog.super.newTable(spec));
    }

    @Override
    public synchronized List<Query> all() {
        return List.copyOf(queries.values());
    }

    @Override
    public synchronized OptionalLong create(Query query, boolean orReplace) {
        Query before = queries.get(query.name());
        if (before == null) {
            checkRoom();
        } else if (!orReplace) {
            throw new WeirException(
                    ErrorCode.DUPLICATE_QUERY,
                    "there is a query " + query.name() + " already",
                    "CREATE OR REPLACE QUERY puts another in its place");
        } else if (hasReaders(query.name())) {
            checkReplacement(before, query);
        } else {
            queries.remove(query.name()); // it may read a later one
        }
        queries.put(query.name(), query);
        paused.remove(query.name());
        return OptionalLong.empty();
    }

    private void checkRoom() {
        if (queries.size() >= LIMIT) {
            throw new WeirException(
                    ErrorCode.TOO_MANY_QUERIES,
                    "there are " + LIMIT + " queries already",
                    "DROP QUERY makes room");
        }
    }

    /** Readers of the old query need its columns, and the new one must not read its own readers. */
    private void checkReplacement(Query before, Query after) {
        List<String> readers = readersOf(before.name());
        if (!after.columns().containsAll(before.columns())) {
            throw new WeirException(
                    ErrorCode.INVALID_QUERY,
                    before.name()
                            + " cannot be replaced by a query without its columns: "
                            + String.join(", ", readers)
                            + " needs them",
                    "drop those first");
        }
        for (String needed : Dependencies.of(after)) {
            if (position(needed) > position(before.name())) {
                throw new WeirException(
                        ErrorCode.INVALID_QUERY,
                        "the new " + after.name() + " needs " + needed + ", which came after it",
                        "drop " + String.join(", ", readers) + " and " + after.name() + " first");
            }
        }
    }

    private int position(String name) {
        return names().indexOf(name);
    }

    @Override
    public synchronized void drop(String name, boolean ifExists) {
        if (!queries.containsKey(name)) {
            if (ifExists) {
                return;
            }
            throw unknown(name);
        }
        List<String> readers = readersOf(name);
        if (!readers.isEmpty()) {
            throw new WeirException(
                    ErrorCode.INVALID_QUERY,
                    name + " is needed by " + String.join(", ", readers),
                    "drop those first");
        }
        queries.remove(name);
        paused.remove(name);
    }

    @Override
    public synchronized boolean isPaused(String name) {
        return paused.contains(SubQueryNames.owner(name));
    }

    @Override
    public synchronized void pause(String name, boolean pauses) {
        if (!queries.containsKey(name)) {
            throw unknown(name);
        } else if (pauses) {
            paused.add(name);
        } else {
            paused.remove(name);
        }
    }

    @Override
    public synchronized List<DefinedAggregate> aggregates() {
        return List.copyOf(aggregates.values());
    }

    @Override
    public synchronized void create(DefinedAggregate aggregate, boolean orReplace) {
        boolean there = aggregates.containsKey(aggregate.name());
        if (there && !orReplace) {
            throw new WeirException(
                    ErrorCode.INVALID_QUERY,
                    "there is an aggregate " + aggregate.name() + " already",
                    "CREATE OR REPLACE AGGREGATE puts another in its place");
        } else if (!there && aggregates.size() >= LIMIT) {
            throw new WeirException(
                    ErrorCode.INVALID_QUERY,
                    "there are " + LIMIT + " aggregates already",
                    "DROP AGGREGATE makes room");
        }
        aggregates.put(aggregate.name(), aggregate);
    }

    @Override
    public synchronized void dropAggregate(String name, boolean ifExists) {
        if (aggregates.remove(name) == null && !ifExists) {
            throw new WeirException(
                    ErrorCode.UNKNOWN_FUNCTION,
                    "there is no aggregate " + name,
                    "SHOW AGGREGATES lists them");
        }
    }

    private WeirException unknown(String name) {
        return new WeirException(
                ErrorCode.UNKNOWN_QUERY,
                "there is no query " + name,
                queries.isEmpty()
                        ? "there are no queries"
                        : "there are " + String.join(", ", queries.keySet()));
    }

    /** Returns whether another query reads it or waits for it. */
    public synchronized boolean hasReaders(String name) {
        return !readersOf(name).isEmpty();
    }

    private List<String> readersOf(String name) {
        return queries.values().stream()
                .filter(query -> Dependencies.of(query).contains(name))
                .map(Query::name)
                .filter(reader -> !reader.equals(name))
                .collect(Collectors.toList());
    }
}
