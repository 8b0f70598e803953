package io.weir.operators.kernel;

import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Symbol;
import io.weir.operators.kernel.code.GeneratedSource;
import io.weir.operators.kernel.code.Plan;
import io.weir.operators.kernel.code.RowSideCode;
import io.weir.operators.rows.RowBatch;
import io.weir.operators.rows.RowLayout;
import java.util.List;

/**
 * A condition over rows of any version of a query. A later version has the same columns, but
 * perhaps at other places. One thread.
 */
public final class RowCondition implements RowPredicate {
    private final Expr condition;
    private RowLayout layout;
    private RowPredicate compiled;

    @SuppressWarnings("UnusedVariable") // keeps their numbers
    private List<Symbol> literals;

    /**
     * @param layout of the first version
     */
    public RowCondition(Expr condition, RowLayout layout) {
        Plan.check(condition);
        this.condition = condition;
        compile(layout);
    }

    private void compile(RowLayout rows) {
        layout = rows;
        GeneratedSource source = RowSideCode.predicate(condition, rows);
        literals = source.symbols();
        compiled = GeneratedClasses.instance(source, RowPredicate.class);
    }

    @Override
    public boolean test(RowBatch batch, int row) {
        if (batch.layout() != layout) {
            compile(batch.layout());
        }
        return compiled.test(batch, row);
    }
}
