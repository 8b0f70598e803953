package io.weir.cluster.merge;

import io.weir.cluster.catalog.Dependencies;
import io.weir.cluster.kafka.catalog.CatalogState;
import io.weir.cluster.kafka.catalog.Definition;
import io.weir.operators.graph.LookupTable;
import io.weir.operators.graph.Query;
import io.weir.operators.kernel.KernelCompiler;
import io.weir.operators.table.StoredTable;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds the queries over rows that look up a table without content in this process, and those that
 * need them. The stream's thread.
 */
final class LackingTables {
    private CatalogState known;
    private Map<String, List<LookupTable>> read = Map.of();

    /** Returns their names. */
    Set<String> of(CatalogState state) {
        if (state != known) {
            known = state;
            read = state.tables().isEmpty() ? Map.of() : readers(state);
        }
        Set<String> lacking = new HashSet<>();
        read.forEach(
                (query, tables) -> {
                    if (!tables.stream().allMatch(LackingTables::isThere)) {
                        lacking.add(query);
                    }
                });
        if (!lacking.isEmpty()) {
            addReaders(state, lacking);
        }
        return lacking;
    }

    private static Map<String, List<LookupTable>> readers(CatalogState state) {
        Map<String, List<LookupTable>> readers = new LinkedHashMap<>();
        for (Query query : state.running()) {
            List<LookupTable> tables =
                    query.reads().isSpread() ? List.of() : KernelCompiler.tables(query);
            if (!tables.isEmpty()) {
                readers.put(query.name(), tables);
            }
        }
        return readers;
    }

    private static boolean isThere(LookupTable table) {
        return !(table instanceof StoredTable stored) || stored.hasContent();
    }

    private static void addReaders(CatalogState state, Set<String> lacking) {
        for (Definition definition : state.definitions().values()) {
            if (Dependencies.of(definition.query()).stream().anyMatch(lacking::contains)) {
                lacking.add(definition.name());
            }
        }
    }
}
