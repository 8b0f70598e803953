package io.weir.sql.plan;

import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Functions;
import io.weir.sql.validate.Binding;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.sql.SqlNode;

/** Splits conditions at AND, and joins them. */
final class Conditions {
    private Conditions() {}

    static List<Expr> parts(Expr condition) {
        return condition instanceof Expr.Call call && call.function().equals(Functions.AND)
                ? call.arguments()
                : List.of(condition);
    }

    static Optional<Expr> all(Binding binding, SqlNode at, List<Expr> conditions) {
        if (conditions.size() < 2) {
            return conditions.stream().findFirst();
        }
        return Optional.of(binding.call(at, Functions.AND, conditions));
    }

    static Expr both(Binding binding, SqlNode at, Expr first, Expr second) {
        List<Expr> parts = new ArrayList<>(parts(first));
        parts.addAll(parts(second));
        return binding.call(at, Functions.AND, parts);
    }
}
