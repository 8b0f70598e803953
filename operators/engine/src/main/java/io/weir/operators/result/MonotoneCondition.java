package io.weir.operators.result;

import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Functions;
import io.weir.operators.graph.Operator.Aggregate;
import io.weir.operators.graph.Operator.FoldCall;
import io.weir.operators.graph.Query;
import java.util.Optional;

/**
 * Decides whether a group that once met HAVING meets it for ever while its totals grow. {@code
 * COUNT(*) > 10} does, {@code COUNT(*) < 10} does not. If in doubt the answer is no. Cold.
 */
final class MonotoneCondition {
    private final Query query;
    private final Aggregate aggregate;

    private MonotoneCondition(Query query, Aggregate aggregate) {
        this.query = query;
        this.aggregate = aggregate;
    }

    static boolean isMet(Query query, Expr having) {
        return new MonotoneCondition(query, query.aggregate().orElseThrow()).isMet(having);
    }

    private boolean isMet(Expr condition) {
        if (!(condition instanceof Expr.Call call)) {
            return condition instanceof Expr.Literal;
        } else if (call.function().equals(Functions.AND) || call.function().equals(Functions.OR)) {
            return call.arguments().stream().allMatch(this::isMet);
        }
        return switch (call.function().name()) {
            case ">", ">=" -> grows(call.arguments().get(0)) && isConstant(call.arguments().get(1));
            case "<", "<=" -> isConstant(call.arguments().get(0)) && grows(call.arguments().get(1));
            default -> call.arguments().stream().allMatch(this::isFixed);
        };
    }

    private static boolean isConstant(Expr expr) {
        return expr instanceof Expr.Literal;
    }

    /**
     * Returns whether the expression is always the same for a group, because it has only keys and
     * constants.
     */
    private boolean isFixed(Expr expr) {
        if (expr instanceof Expr.Call call) {
            return call.arguments().stream().allMatch(this::isFixed);
        }
        return isConstant(expr)
                || expr instanceof Expr.Variable column
                        && aggregate.keys().stream().anyMatch(k -> k.name().equals(column.name()));
    }

    private boolean grows(Expr expr) {
        if (!(expr instanceof Expr.Variable column)) {
            return false;
        }
        Optional<FoldCall> fold =
                aggregate.folds().stream().filter(f -> f.name().equals(column.name())).findFirst();
        return fold.filter(this::grows).isPresent();
    }

    /** Columns of packets are never below 0, so a sum of one grows. */
    private boolean grows(FoldCall call) {
        boolean ofPackets =
                query.reads().comesAsGpvs()
                        && call.arguments().stream().allMatch(a -> a instanceof Expr.Variable);
        return switch (call.fold().name()) {
            case "COUNT", "MAX" -> true;
            case "SUM" -> ofPackets;
            default -> false;
        };
    }
}
