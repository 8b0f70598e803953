package io.weir.operators.kernel;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.gpv.PacketColumns;
import io.weir.operators.graph.LookupTable;
import io.weir.operators.graph.Query;
import io.weir.operators.kernel.code.Plan;
import java.util.List;
import java.util.Optional;

/** Turns a query into generated classes: one kernel for each layout, one finisher. Any thread. */
public final class KernelCompiler {
    private KernelCompiler() {}

    /**
     * Compiles a query.
     *
     * @param layouts the layouts that the sources emit; ignored for a query over another query's
     *     rows
     * @throws WeirException COLUMN_ABSENT when a layout lacks a column, NOT_SUPPORTED or
     *     INVALID_QUERY when the graph is not one that kernels are made for
     */
    public static CompiledQuery compile(Query query, List<GpvLayout> layouts) {
        return new CompiledQuery(plan(query, layouts), layouts);
    }

    /**
     * Throws when {@link #compile} would refuse the query. It defines no class, and takes a small
     * part of the time.
     */
    public static void check(Query query, List<GpvLayout> layouts) {
        QuerySources.of(plan(query, layouts)).check(layouts);
    }

    private static Plan plan(Query query, List<GpvLayout> layouts) {
        Plan plan = Plan.of(query);
        if (plan.readsGpvs()) {
            for (String column : plan.columnsRead()) {
                layouts.forEach(layout -> checkCarried(column, layout));
            }
        }
        return plan;
    }

    /** Returns the different strings among the query's literals, in the order of its parts. */
    public static List<String> strings(Query query) {
        return Plan.unchecked(query).strings();
    }

    /** Returns the different lookup tables that the query reads. */
    public static List<LookupTable> tables(Query query) {
        return Plan.unchecked(query).tables();
    }

    /** Returns the first column that the query reads and a layout lacks. */
    public static Optional<String> absent(Query query, List<GpvLayout> layouts) {
        return Plan.of(query).columnsRead().stream()
                .filter(c -> layouts.stream().anyMatch(l -> !PacketColumns.isCarriedBy(c, l)))
                .findFirst();
    }

    private static void checkCarried(String column, GpvLayout layout) {
        if (PacketColumns.isCarriedBy(column, layout)) {
            return;
        }
        List<String> carriers =
                GpvLayout.all().stream()
                        .filter(l -> PacketColumns.isCarriedBy(column, l))
                        .map(GpvLayout::name)
                        .distinct()
                        .toList();
        throw new WeirException(
                ErrorCode.COLUMN_ABSENT,
                "column " + column + " is not carried by layout " + layout.name(),
                carriers.isEmpty()
                        ? "no layout carries it"
                        : "carried by " + String.join(", ", carriers));
    }
}
