package io.weir.operators.kernel;

import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.graph.SymbolSet;
import io.weir.operators.kernel.code.GeneratedSource;
import io.weir.operators.kernel.code.KernelCode;
import io.weir.operators.kernel.code.Plan;
import io.weir.operators.kernel.code.StateLayout;
import io.weir.operators.rows.RowLayout;
import io.weir.operators.table.SnapshotTable;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** The kernels of a query: one for each layout, or for the rows that it reads. Any thread. */
final class KernelSet {
    private final Plan plan;
    private final StateLayout state;
    private final boolean paned;
    private final SymbolSet strings;
    private final Kernel[] byLayout = new Kernel[GpvLayout.all().size()];

    /**
     * @param strings keeps those of the kernels
     */
    KernelSet(
            Plan plan,
            StateLayout state,
            List<GpvLayout> layouts,
            boolean paned,
            SymbolSet strings) {
        this.plan = plan;
        this.state = state;
        this.paned = paned;
        this.strings = strings;
        plan.tables().forEach(table -> strings.keep(((SnapshotTable) table).strings()));
        if (plan.readsGpvs()) {
            for (GpvLayout layout : layouts) {
                byLayout[layout.id()] = instance(KernelCode.of(plan, state, layout, paned));
            }
        }
    }

    /** Returns how many more texts there is room for. */
    long roomForTexts() {
        return strings.room();
    }

    /** Returns the kernel for a layout, or null if there is none. */
    Kernel of(int layoutId) {
        return byLayout[layoutId];
    }

    /** Returns the kernels that run over packets. */
    List<Kernel> kernels() {
        return Stream.of(byLayout).filter(Objects::nonNull).toList();
    }

    /** Compiles the kernel for rows. It is called when the first rows come. */
    Kernel of(RowLayout rows) {
        return instance(KernelCode.of(plan, state, rows, paned));
    }

    private Kernel instance(GeneratedSource source) {
        strings.keep(source.symbols());
        Kernel kernel = GeneratedClasses.instance(source, Kernel.class);
        kernel.texts(strings);
        return kernel;
    }
}
