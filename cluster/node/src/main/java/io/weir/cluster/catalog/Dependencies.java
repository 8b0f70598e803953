package io.weir.cluster.catalog;

import io.weir.operators.graph.Query;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Finds the queries that a query needs: those that it and its sub-queries read, and the one that
 * its WHEN names.
 */
public final class Dependencies {
    private Dependencies() {}

    /** Returns the names of the queries that this one needs itself. */
    public static Set<String> of(Query query) {
        Set<String> names = new LinkedHashSet<>();
        for (Query one : query.all()) {
            names.addAll(one.scan().queries());
        }
        query.when().ifPresent(when -> names.addAll(when.upstreams()));
        return names;
    }

    /**
     * Returns the queries, their sub-queries and all that they need, each once, each after those
     * that it needs.
     */
    public static List<Query> closure(
            List<Query> queries, Function<String, Optional<Query>> byName) {
        Map<String, Query> ordered = new LinkedHashMap<>();
        Set<String> open = new LinkedHashSet<>();
        queries.forEach(query -> add(query, byName, open, ordered));
        return List.copyOf(ordered.values());
    }

    private static void add(
            Query query,
            Function<String, Optional<Query>> byName,
            Set<String> open,
            Map<String, Query> ordered) {
        if (ordered.containsKey(query.name()) || !open.add(query.name())) {
            return; // there already; or a cycle, which the planner refuses
        }
        for (String name : of(query)) {
            if (query.part(name).isEmpty()) {
                byName.apply(name).ifPresent(needed -> add(needed, byName, open, ordered));
            }
        }
        query.parts().forEach(part -> ordered.put(part.name(), part));
        ordered.put(query.name(), query);
    }
}
