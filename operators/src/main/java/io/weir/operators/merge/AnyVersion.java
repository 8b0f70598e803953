package io.weir.operators.merge;

import io.weir.operators.graph.Expr;
import io.weir.operators.kernel.RowPredicate;
import io.weir.operators.result.ResultQuery;
import io.weir.operators.result.RowBatch;
import io.weir.operators.result.RowLayout;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * A condition over rows of any version of a query: a later one has the columns of those before, but
 * may have them elsewhere. The merge's thread.
 */
final class AnyVersion implements RowPredicate {
    private final Expr condition;
    private final Supplier<List<ResultQuery>> versions;
    private Map<RowLayout, RowPredicate> compiled = Map.of();

    /**
     * @param versions those that are there now
     */
    AnyVersion(Expr condition, Supplier<List<ResultQuery>> versions) {
        this.condition = condition;
        this.versions = versions;
    }

    /** Who waits for columns that older versions have not is never asked about their rows. */
    private RowPredicate compile(RowLayout layout) {
        Map<RowLayout, RowPredicate> now = new HashMap<>();
        for (ResultQuery version : versions.get()) {
            RowLayout its = version.code().rowLayout();
            if (its.equals(layout)) {
                now.put(its, version.code().predicate(condition));
            } else if (compiled.containsKey(its)) {
                now.put(its, compiled.get(its));
            }
        }
        compiled = now;
        return now.get(layout);
    }

    @Override
    public boolean test(RowBatch batch, int row) {
        RowPredicate known = compiled.get(batch.layout());
        return (known == null ? compile(batch.layout()) : known).test(batch, row);
    }
}
