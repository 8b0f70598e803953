package io.weir.cluster.kafka.catalog;

import io.weir.operators.graph.Query;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Catalogues for tests, without a topic. */
public final class TestCatalogs {
    private TestCatalogs() {}

    /** These queries, each in this version. */
    public static CatalogState of(long version, List<Query> queries) {
        Map<Query, Long> versions = new LinkedHashMap<>();
        queries.forEach(query -> versions.put(query, version));
        return of(versions);
    }

    /** Queries with their versions, each after those that it needs; read up to the latest. */
    public static CatalogState of(Map<Query, Long> versions) {
        Map<String, Definition> definitions = new LinkedHashMap<>();
        versions.forEach(
                (query, version) ->
                        definitions.put(
                                query.name(), new Definition(query, version, definitions.size())));
        long latest = versions.values().stream().mapToLong(v -> v).max().orElse(0);
        return new CatalogState(
                latest + 1,
                definitions,
                Map.of(),
                Map.of(),
                Map.of(),
                List.of(),
                Map.of(),
                List.of());
    }

    /** The same with a replay in so many slices, {@code NAME.0} and so on, that settles. */
    public static CatalogState settling(CatalogState state, String name, int slices) {
        SlicedReplay replay =
                new SlicedReplay(
                        name, 1, slices, Set.of(name), 0, false, Double.POSITIVE_INFINITY, 1, true);
        return new CatalogState(
                state.offset(),
                state.definitions(),
                Map.of(name, replay),
                Map.of(),
                Map.of(),
                List.of(),
                Map.of(),
                List.of());
    }
}
