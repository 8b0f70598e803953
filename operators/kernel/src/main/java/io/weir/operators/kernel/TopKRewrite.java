package io.weir.operators.kernel;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Budget;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Folds;
import io.weir.operators.graph.Functions;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.Operator;
import io.weir.operators.graph.Operator.Aggregate;
import io.weir.operators.graph.Operator.FoldCall;
import io.weir.operators.graph.Operator.Named;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.Sharing;
import io.weir.operators.sketch.SketchFolds;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The graph of a query with on_overflow = 'topk'. It picks the fold that ranks groups, and adds two
 * folds that report what was left out. Cold; stateless.
 */
public final class TopKRewrite {
    /** Counts the packets of a group, which are lost when the group is taken out. */
    public static final FoldCall PACKETS =
            new FoldCall("", Folds.count(), List.of(), false, Optional.empty());

    private static final String HINT =
            "order by a COUNT, or by the SUM of a column of packets, DESC; without ORDER BY the"
                    + " first of SELECT ranks";

    private TopKRewrite() {}

    /**
     * The query with a budget within which it keeps its heaviest groups.
     *
     * @throws WeirException NOT_SUPPORTED for one that has no groups, or none that could be ranked
     *     and taken out
     */
    public static Query of(Query query, long memoryBytes) {
        Aggregate aggregate =
                query.aggregate()
                        .filter(a -> query.reads().comesAsGpvs())
                        .orElseThrow(() -> refused("a query without groups of packets", HINT));
        for (FoldCall call : aggregate.folds()) {
            if (call.distinct()) {
                throw refused("COUNT(DISTINCT)", "its sets need most of a group's memory");
            } else if (SketchFolds.isOne(call.fold())) {
                throw refused(call.fold().name(), "its sketch needs most of a group's memory");
            }
        }
        FoldCall rank = Sharing.unnamed(rank(query, aggregate));
        Operator root = Undercount.root(query, List.of(PACKETS));
        Budget budget = new Budget(memoryBytes, Budget.Overflow.TOPK, Optional.of(rank));
        return query.with(root, Optional.of(budget));
    }

    private static FoldCall rank(Query query, Aggregate aggregate) {
        Operator.Project project = project(query.root());
        if (query.root() instanceof Operator.Sort sort && !sort.orders().isEmpty()) {
            Operator.Order first = sort.orders().get(0);
            return project.outputs().stream()
                    .filter(o -> o.name().equals(first.column()) && first.descending())
                    .flatMap(o -> ranked(o.expr(), aggregate).stream())
                    .findFirst()
                    .orElseThrow(() -> refused("ORDER BY " + first.column(), HINT));
        }
        List<Expr> shown = new ArrayList<>(project.outputs().stream().map(Named::expr).toList());
        aggregate.folds().forEach(call -> shown.add(call.column()));
        return shown.stream()
                .flatMap(expr -> ranked(expr, aggregate).stream())
                .findFirst()
                .orElseThrow(() -> refused("no COUNT, and no SUM that only grows", HINT));
    }

    private static Operator.Project project(Operator root) {
        return (Operator.Project) (root instanceof Operator.Sort sort ? sort.input() : root);
    }

    /** Returns the fold if the expression can only grow. */
    private static Optional<FoldCall> ranked(Expr expr, Aggregate aggregate) {
        if (!(expr instanceof Expr.Variable column)) {
            return Optional.empty();
        }
        return aggregate.folds().stream()
                .filter(call -> call.name().equals(column.name()))
                .filter(TopKRewrite::onlyGrows)
                .findFirst();
    }

    private static boolean onlyGrows(FoldCall call) {
        return call.fold().name().equals("COUNT")
                || call.fold().name().equals("SUM")
                        && call.fold().state().get(0).kind() == Kind.BIGINT
                        && call.arguments().stream().allMatch(TopKRewrite::isNotNegative);
    }

    /**
     * Packet columns have no sign. Sums and products of them and of numbers above zero have none.
     */
    private static boolean isNotNegative(Expr expr) {
        if (expr instanceof Expr.Literal literal) {
            return literal.value() == null || literal.value() instanceof Long n && n >= 0;
        } else if (expr instanceof Expr.Variable) {
            return expr.type().kind() == Kind.BIGINT;
        }
        Expr.Call call = (Expr.Call) expr;
        List<Expr> arguments = call.arguments();
        if (call.function().equals(Functions.CASE)) {
            // Conditions and values alternate, with ELSE at the end. Conditions may be anything.
            for (int a = 1; a < arguments.size(); a += 2) {
                if (!isNotNegative(arguments.get(a))) {
                    return false;
                }
            }
            return isNotNegative(arguments.get(arguments.size() - 1));
        }
        return Set.of("+", "*", "/").contains(Functions.unchecked(call.function()).name())
                && call.type().kind() == Kind.BIGINT
                && arguments.stream().allMatch(TopKRewrite::isNotNegative);
    }

    private static WeirException refused(String what, String hint) {
        return new WeirException(
                ErrorCode.NOT_SUPPORTED, "on_overflow = 'topk' with " + what, hint);
    }
}
