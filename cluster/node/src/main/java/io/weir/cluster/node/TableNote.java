package io.weir.cluster.node;

import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.kernel.KernelCompiler;
import io.weir.operators.table.StoredTable;
import io.weir.operators.table.TableSnapshot;
import java.util.Collection;
import java.util.List;

/**
 * The content of a lookup table that a run has read, from its begin to its end.
 *
 * @param hash SHA-256 of the file
 */
public record TableNote(String name, int rows, String hash) {
    static List<TableNote> of(Collection<CompiledQuery> queries) {
        return queries.stream()
                .flatMap(code -> KernelCompiler.tables(code.query()).stream())
                .filter(StoredTable.class::isInstance)
                .map(StoredTable.class::cast)
                .filter(StoredTable::hasContent)
                .map(table -> of(table.name(), table.content()))
                .distinct()
                .toList();
    }

    private static TableNote of(String name, TableSnapshot content) {
        return new TableNote(name, content.count(), content.hash());
    }

    String text() {
        return "table " + name + " had " + rows + " rows, SHA-256 " + hash;
    }
}
