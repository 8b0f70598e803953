package io.weir.operators.kernel;

import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.graph.Query;
import java.util.List;

/** Turns a query into generated classes: one kernel for each layout, one finisher. Any thread. */
public final class KernelCompiler {
    private KernelCompiler() {}

    /**
     * Compiles a query.
     *
     * @param layouts what the sources emit; of no matter for a query over another query's rows
     * @throws io.weir.operators.error.WeirException COLUMN_ABSENT when a layout lacks a column,
     *     NOT_SUPPORTED or INVALID_QUERY when the graph is not one that kernels are made for
     */
    public static CompiledQuery compile(Query query, List<GpvLayout> layouts) {
        return new CompiledQuery(query);
    }
}
