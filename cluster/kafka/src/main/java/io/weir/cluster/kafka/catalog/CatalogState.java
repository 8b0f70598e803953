package io.weir.cluster.kafka.catalog;

import io.weir.cluster.table.NamedTable;
import io.weir.operators.graph.LookupTable;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.SubQueryNames;
import io.weir.sql.catalog.Catalog;
import io.weir.sql.catalog.DefinedAggregate;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The catalogue at one offset, the same for all processes that have read so far. Immutable. */
public final class CatalogState implements Catalog {
    public static final CatalogState EMPTY =
            new CatalogState(
                    0, Map.of(), Map.of(), Map.of(), Map.of(), List.of(), Map.of(), List.of());

    private final long offset;
    private final Map<String, Definition> definitions;
    private final Map<String, SlicedReplay> slices;
    private final Map<String, Retirement> retired;
    private final Map<String, NamedSource> sources;
    private final List<DefinedAggregate> aggregates;
    private final Map<String, NamedTable> tables;
    private final List<Fault> faults;

    /**
     * @param offset of the first record that was not read
     * @param definitions in order of their places
     * @param slices replays in slices, by name
     * @param retired workers that nobody waits for, by name
     * @param sources live ones, by name
     * @param aggregates of users, in order of their names
     * @param tables for lookups, by name
     */
    CatalogState(
            long offset,
            Map<String, Definition> definitions,
            Map<String, SlicedReplay> slices,
            Map<String, Retirement> retired,
            Map<String, NamedSource> sources,
            List<DefinedAggregate> aggregates,
            Map<String, NamedTable> tables,
            List<Fault> faults) {
        this.tables = Collections.unmodifiableMap(new TreeMap<>(tables));
        this.aggregates = List.copyOf(aggregates);
        this.sources = Collections.unmodifiableMap(new TreeMap<>(sources));
        this.retired = Map.copyOf(retired);
        this.slices = Map.copyOf(slices);
        this.offset = offset;
        this.definitions = Collections.unmodifiableMap(new LinkedHashMap<>(definitions));
        this.faults = List.copyOf(faults);
    }

    public long offset() {
        return offset;
    }

    /** Returns the queries and their sub-queries by name, each after those that it needs. */
    public Map<String, Definition> definitions() {
        return definitions;
    }

    /** Returns the same state at a later offset of the topic. */
    CatalogState at(long position) {
        return new CatalogState(
                position, definitions, slices, retired, sources, aggregates, tables, faults);
    }

    /** Returns the replays that workers share, by name. */
    public Map<String, SlicedReplay> slices() {
        return slices;
    }

    /** Returns whether there is a replay whose packets wait until conditions are settled. */
    public boolean settles() {
        return slices.values().stream().anyMatch(SlicedReplay::settles);
    }

    /** Returns the nodes whose packets are spread over workers. */
    public Set<String> slicedNodes() {
        Set<String> nodes = new TreeSet<>();
        slices.values().forEach(replay -> nodes.addAll(replay.nodes()));
        return nodes;
    }

    /** Returns the workers that were taken out of the cluster, by name. */
    public Map<String, Retirement> retired() {
        return retired;
    }

    /** Returns the live sources that workers open, by name. */
    public Map<String, NamedSource> sources() {
        return sources;
    }

    /** Returns the lookup tables by name. */
    public Map<String, NamedTable> tables() {
        return tables;
    }

    /** Returns whether nobody waits for this process of a worker. */
    public boolean isRetired(String worker, String life) {
        Retirement known = retired.get(worker);
        return known != null && known.life().equals(life);
    }

    public List<Fault> faults() {
        return faults;
    }

    /** Returns the queries that users have made. */
    public List<Query> queries() {
        return running().stream().filter(query -> !SubQueryNames.isOne(query.name())).toList();
    }

    /** Returns the queries and their sub-queries, each after those that it needs. */
    public List<Query> running() {
        return definitions.values().stream().map(Definition::query).toList();
    }

    @Override
    public Optional<Query> find(String name) {
        return Optional.ofNullable(definitions.get(name)).map(Definition::query);
    }

    @Override
    public List<String> names() {
        return queries().stream().map(Query::name).toList();
    }

    @Override
    public List<DefinedAggregate> aggregates() {
        return aggregates;
    }

    @Override
    public Optional<LookupTable> table(String name) {
        return Optional.ofNullable(tables.get(name)).map(NamedTable::table);
    }

    @Override
    public List<String> tableNames() {
        return List.copyOf(tables.keySet());
    }
}
