package io.weir.sql.catalog;

import io.weir.operators.graph.LookupTable;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.SubQueryNames;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Queries and aggregates in memory, in order of creation. It can lie over another catalogue. It
 * then holds the effects of a text's earlier statements before any of them is executed. One thread.
 */
public final class MapCatalog implements Catalog {
    private final Map<String, Query> queries = new LinkedHashMap<>();
    private final Map<String, DefinedAggregate> aggregates = new LinkedHashMap<>();
    private final Map<String, LookupTable> tables = new LinkedHashMap<>();

    /** The catalogue below; null if there is none. */
    private final Catalog below;

    public MapCatalog() {
        below = null;
    }

    private MapCatalog(Catalog base) {
        below = base;
        base.names().forEach(name -> base.find(name).ifPresent(this::put));
        base.aggregates().forEach(this::put);
        base.tableNames().forEach(name -> base.table(name).ifPresent(this::put));
    }

    /** Makes a copy that can be changed without changing the base. */
    public static MapCatalog over(Catalog base) {
        return new MapCatalog(base);
    }

    /** Adds a query, in place of one of the same name if there is one. */
    public void put(Query query) {
        queries.put(query.name(), query);
    }

    /** Adds a table, in place of one of the same name if there is one. */
    public void put(LookupTable table) {
        tables.put(table.name(), table);
    }

    @Override
    public LookupTable newTable(TableSpec spec) {
        return below == null ? Catalog.super.newTable(spec) : below.newTable(spec);
    }

    /** Removes a table if it is there. */
    public void removeTable(String name) {
        tables.remove(name);
    }

    @Override
    public Optional<LookupTable> table(String name) {
        return Optional.ofNullable(tables.get(name));
    }

    @Override
    public List<String> tableNames() {
        return List.copyOf(tables.keySet());
    }

    /** Removes a query if it is there. */
    public void remove(String name) {
        queries.remove(name);
    }

    /** Adds an aggregate, in place of one of the same name if there is one. */
    public void put(DefinedAggregate aggregate) {
        aggregates.put(aggregate.name(), aggregate);
    }

    /** Removes an aggregate if it is there. */
    public void removeAggregate(String name) {
        aggregates.remove(name);
    }

    @Override
    public List<DefinedAggregate> aggregates() {
        return List.copyOf(aggregates.values());
    }

    @Override
    public Optional<Query> find(String name) {
        Query found = queries.get(name);
        return found != null || !SubQueryNames.isOne(name)
                ? Optional.ofNullable(found)
                : Optional.ofNullable(queries.get(SubQueryNames.owner(name)))
                        .flatMap(owner -> owner.part(name));
    }

    @Override
    public List<String> names() {
        return List.copyOf(queries.keySet());
    }
}
