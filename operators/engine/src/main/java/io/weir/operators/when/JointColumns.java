package io.weir.operators.when;

import io.weir.operators.graph.Expr.Variable;
import io.weir.operators.graph.When;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.rows.RowLayout;
import java.util.ArrayList;
import java.util.List;

/** Makes the layout of rows that a WHEN tests. Stateless. */
final class JointColumns {
    private JointColumns() {}

    /**
     * Returns the layout of the upstream's rows. If there are several upstreams, it has the columns
     * of all, each with its query's name.
     *
     * @param codes in the order of {@link When#upstreams}
     */
    static RowLayout of(When when, List<CompiledQuery> codes) {
        if (!when.isJoint()) {
            return codes.get(0).rowLayout();
        }
        List<Variable> all = new ArrayList<>();
        for (int place = 0; place < codes.size(); place++) {
            String name = when.upstreams().get(place);
            for (Variable column : codes.get(place).rowLayout().columns()) {
                all.add(When.qualified(name, column));
            }
        }
        return new RowLayout(all);
    }
}
