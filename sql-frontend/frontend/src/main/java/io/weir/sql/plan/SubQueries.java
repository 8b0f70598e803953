package io.weir.sql.plan;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.SubQueryNames;
import io.weir.sql.catalog.Catalog;
import io.weir.sql.catalog.ForwardingCatalog;
import io.weir.sql.validate.Binding;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.calcite.sql.SqlNode;

/**
 * The sub-queries of one statement, beside the queries of the catalogue. They are found by name,
 * and not listed. Each has a number that no sub-query of an earlier version has.
 */
final class SubQueries implements ForwardingCatalog {
    /** The most sub-queries of a statement. */
    private static final int MOST = 64;

    private final Binding binding;
    private final Catalog catalog;
    private final String owner;
    private final int first;
    private final Map<String, Query> planned = new LinkedHashMap<>();
    private int next;

    /**
     * @param owner the name of the statement's query
     */
    SubQueries(Binding binding, Catalog catalog, String owner) {
        this.binding = binding;
        this.catalog = catalog;
        this.owner = owner;
        List<Query> before = catalog.find(owner).map(Query::parts).orElse(List.of());
        first =
                before.stream()
                        .mapToInt(part -> SubQueryNames.number(part.name()).orElse(0))
                        .max()
                        .orElse(0);
        next = first;
    }

    String owner() {
        return owner;
    }

    /** Returns the name of a further sub-query. */
    String name(SqlNode at) {
        if (next - first >= MOST) {
            throw binding.error(
                    ErrorCode.INVALID_QUERY,
                    at,
                    "more than " + MOST + " sub-queries in one statement",
                    "create queries for some of them, and select from these");
        }
        return SubQueryNames.of(owner, ++next);
    }

    void add(Query part) {
        planned.put(part.name(), part);
    }

    /** Returns those that a query reads, itself or through others, in order of their planning. */
    List<Query> readBy(Query query) {
        Set<String> names = new HashSet<>();
        collect(query, names);
        return planned.values().stream().filter(part -> names.contains(part.name())).toList();
    }

    private void collect(Query query, Set<String> names) {
        for (String read : Cycles.upstreams(query)) {
            if (planned.containsKey(read) && names.add(read)) {
                collect(planned.get(read), names);
            }
        }
    }

    @Override
    public Optional<Query> find(String name) {
        return Optional.ofNullable(planned.get(name)).or(() -> catalog.find(name));
    }

    @Override
    public Catalog base() {
        return catalog;
    }
}
