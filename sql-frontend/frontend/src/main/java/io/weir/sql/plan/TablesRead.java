package io.weir.sql.plan;

import io.weir.operators.graph.LookupTable;
import io.weir.operators.graph.Query;
import io.weir.operators.kernel.KernelCompiler;
import java.util.List;

/** Finds the lookup tables that a query and its sub-queries read. */
public final class TablesRead {
    private TablesRead() {}

    /** Returns their names, without those of lists of constants. */
    public static List<String> of(Query query) {
        return query.all().stream()
                .flatMap(one -> KernelCompiler.tables(one).stream())
                .map(LookupTable::name)
                .filter(name -> !name.isEmpty())
                .distinct()
                .toList();
    }
}
