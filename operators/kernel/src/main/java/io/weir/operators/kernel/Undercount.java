package io.weir.operators.kernel;

import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Folds;
import io.weir.operators.graph.Functions;
import io.weir.operators.graph.Operator;
import io.weir.operators.graph.Operator.Aggregate;
import io.weir.operators.graph.Operator.FoldCall;
import io.weir.operators.graph.Operator.Named;
import io.weir.operators.graph.Operator.Row;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.Sharing;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The graph of a query whose rows show by how much they may be too low when groups found no room.
 * It adds one fold, the credit of a group. Cold; stateless.
 */
public final class Undercount {
    /** See {@link Folds#credit}. */
    public static final FoldCall CREDIT =
            new FoldCall("", Folds.credit(), List.of(), false, Optional.empty());

    private Undercount() {}

    /** Returns whether the query has columns that show what groups may lack. */
    public static boolean shows(Query query) {
        return shows(query.root());
    }

    private static boolean shows(Operator operator) {
        if (operator instanceof Operator.Sort sort) {
            return shows(sort.input());
        } else if (operator instanceof Operator.Project project) {
            return project.outputs().stream().anyMatch(o -> shows(o.expr()))
                    || shows(project.input());
        } else if (operator instanceof Operator.Filter filter) {
            return shows(filter.condition()) || shows(filter.input());
        } else if (operator instanceof Operator.Over over) {
            return shows(over.input());
        }
        return false;
    }

    private static boolean shows(Expr expr) {
        return Row.OF_OVERFLOW.contains(expr)
                || expr instanceof Expr.Call call
                        && call.arguments().stream().anyMatch(Undercount::shows);
    }

    /**
     * Returns the query with the credit fold, or unchanged if it shows no such column.
     *
     * @param query with groups of packets
     */
    public static Query of(Query query) {
        return shows(query) ? query.with(root(query, List.of()), query.budget()) : query;
    }

    /** Returns the query's root over an Aggregate that also has these folds and the credit. */
    static Operator root(Query query, List<FoldCall> more) {
        Aggregate aggregate = query.aggregate().orElseThrow();
        Set<String> names = new HashSet<>();
        aggregate.columns().forEach(column -> names.add(column.name()));
        List<FoldCall> folds = new ArrayList<>(aggregate.folds());
        more.forEach(call -> named(call, folds, names));
        String credit = named(CREDIT, folds, names).name();
        Aggregate larger =
                new Aggregate(
                        aggregate.input(),
                        aggregate.window(),
                        aggregate.keys(),
                        folds,
                        aggregate.wholeBy());
        return query.rebuilt(operator -> above(operator, larger, credit));
    }

    private static FoldCall named(FoldCall call, List<FoldCall> folds, Set<String> names) {
        for (FoldCall there : folds) {
            if (Sharing.unnamed(there).equals(call)) {
                return there;
            }
        }
        String name = "of_overflow" + folds.size();
        while (!names.add(name)) {
            name += "_";
        }
        FoldCall added =
                new FoldCall(name, call.fold(), call.arguments(), call.distinct(), call.filter());
        folds.add(added);
        return added;
    }

    private static Operator above(Operator operator, Aggregate larger, String credit) {
        if (operator instanceof Operator.Sort sort) {
            Operator input = above(sort.input(), larger, credit);
            return new Operator.Sort(input, sort.orders(), sort.limit(), sort.offset());
        } else if (operator instanceof Operator.Project project) {
            List<Named> outputs = new ArrayList<>();
            for (Named output : project.outputs()) {
                outputs.add(new Named(output.name(), told(output.expr(), credit)));
            }
            return new Operator.Project(above(project.input(), larger, credit), outputs);
        } else if (operator instanceof Operator.Filter filter) {
            Operator input = above(filter.input(), larger, credit);
            return new Operator.Filter(input, told(filter.condition(), credit));
        }
        return larger;
    }

    /** A row lacks what all may lack, minus its credit. */
    private static Expr told(Expr expr, String credit) {
        if (expr.equals(Row.UNDERCOUNT)) {
            Expr.Variable has = Expr.Variable.column(credit, CREDIT.fold().result().type());
            return Functions.call("-", Row.LEFT_OUT_MOST, has);
        } else if (expr instanceof Expr.Call call) {
            List<Expr> arguments = call.arguments().stream().map(a -> told(a, credit)).toList();
            return Functions.call(call.function(), arguments);
        }
        return expr;
    }
}
