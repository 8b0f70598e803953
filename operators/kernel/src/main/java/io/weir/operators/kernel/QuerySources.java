package io.weir.operators.kernel;

import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.kernel.code.GeneratedSource;
import io.weir.operators.kernel.code.KernelCode;
import io.weir.operators.kernel.code.Plan;
import io.weir.operators.kernel.code.RowSideCode;
import io.weir.operators.kernel.code.StateLayout;
import io.weir.operators.rows.RowLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The texts of a query's classes, and the layouts that they are written for. Immutable.
 *
 * @param rows those that are made from single groups or rows
 */
record QuerySources(Plan plan, RowLayout rows, StateLayout state, PaneShapes shapes) {
    static QuerySources of(Plan plan) {
        RowLayout rows = new RowLayout(plan.made());
        StateLayout state = new StateLayout(plan);
        return new QuerySources(plan, rows, state, new PaneShapes(plan, state, rows));
    }

    private boolean groups() {
        return plan.aggregate().isPresent();
    }

    /** One for each table of groups. */
    List<GeneratedSource> finishers() {
        List<GeneratedSource> sources = new ArrayList<>();
        if (groups()) {
            sources.add(RowSideCode.finisher(plan, state, 4));
            if (state.isSplit()) {
                sources.add(RowSideCode.finisher(plan, state, 6));
            }
        }
        return sources;
    }

    Optional<GeneratedSource> merger() {
        return groups() ? Optional.of(RowSideCode.merger(plan, state)) : Optional.empty();
    }

    GeneratedSource kernel(GpvLayout layout) {
        return KernelCode.of(plan, state, layout, shapes.arePaned());
    }

    GeneratedSource kernel(RowLayout read) {
        return KernelCode.of(plan, state, read, shapes.arePaned());
    }

    /** Throws NOT_SUPPORTED when a class is too large to be compiled. No class is defined. */
    void check(List<GpvLayout> layouts) {
        finishers().forEach(GeneratedClasses::check);
        merger().ifPresent(GeneratedClasses::check);
        plan.over().ifPresent(over -> GeneratedClasses.check(RowSideCode.finisher(over, rows)));
        if (plan.readsGpvs()) {
            layouts.forEach(layout -> GeneratedClasses.check(kernel(layout)));
        }
    }
}
