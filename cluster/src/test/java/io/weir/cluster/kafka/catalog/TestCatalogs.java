package io.weir.cluster.kafka.catalog;

import io.weir.operators.graph.Query;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Catalogues for tests, without a topic. */
public final class TestCatalogs {
    private TestCatalogs() {}

    /** These queries, each in this version. */
    public static CatalogState of(long version, List<Query> queries) {
        Map<String, Definition> definitions = new LinkedHashMap<>();
        for (Query query : queries) {
            definitions.put(query.name(), new Definition(query, version, definitions.size()));
        }
        return new CatalogState(version + 1, definitions, Map.of(), List.of());
    }
}
