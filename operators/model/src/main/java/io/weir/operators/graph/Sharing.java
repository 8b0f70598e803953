package io.weir.operators.graph;

import io.weir.operators.graph.Operator.Aggregate;
import io.weir.operators.graph.Operator.FoldCall;
import io.weir.operators.graph.Operator.Named;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Finds queries that can share one map and one kernel, and makes their graphs. They have one common
 * Aggregate with the folds of all. Each has its own HAVING, projection, order and limit. Cold;
 * stateless.
 */
public final class Sharing {
    private Sharing() {}

    /**
     * The parts that two queries must have in common. Their folds may differ, except folds that
     * need sets or the order of packets: those would change how the others are counted.
     *
     * @param where conjuncts of the filter below the aggregate
     * @param keys in order: rows come in the order of keys
     * @param special the folds that must be equal
     */
    public record Key(
            Operator.Scan scan,
            Set<Expr> where,
            Optional<Window> window,
            List<Expr> keys,
            Set<FoldCall> special,
            Optional<Budget> budget) {}

    /**
     * Returns the key of a query that can share; none for rows, rows of rows, queries with WHEN,
     * sessions and rows without packets.
     */
    public static Optional<Key> key(Query query) {
        if (!query.reads().comesAsGpvs()
                || query.when().isPresent()
                || query.aggregate().isEmpty()) {
            return Optional.empty();
        }
        Aggregate aggregate = query.aggregate().get();
        if (aggregate.window().filter(w -> w.rows().needsEmptyWindows()).isPresent()) {
            return Optional.empty(); // its groups go over from window to window
        }
        Set<Expr> where = new HashSet<>();
        if (aggregate.input() instanceof Operator.Filter filter) {
            conjuncts(filter.condition(), where);
        }
        Set<FoldCall> special = new HashSet<>();
        for (FoldCall call : aggregate.folds()) {
            if (call.distinct() || call.fold().ordered() || call.fold().merge().isEmpty()) {
                special.add(unnamed(call));
            }
        }
        Operator.Scan scan = new Operator.Scan(query.reads(), List.of(), query.scan().time());
        List<Expr> keys = aggregate.keys().stream().map(Named::expr).toList();
        return Optional.of(new Key(scan, where, aggregate.window(), keys, special, query.budget()));
    }

    private static void conjuncts(Expr condition, Set<Expr> into) {
        if (condition instanceof Expr.Call call && call.function().equals(Functions.AND)) {
            call.arguments().forEach(argument -> conjuncts(argument, into));
        } else {
            into.add(condition);
        }
    }

    /** Returns the fold without its name, so that equal folds are equal. */
    public static FoldCall unnamed(FoldCall call) {
        return renamed(call, "");
    }

    private static FoldCall renamed(FoldCall call, String name) {
        return new FoldCall(name, call.fold(), call.arguments(), call.distinct(), call.filter());
    }

    /** Returns the folds of a query, each without its name. */
    public static Set<FoldCall> folds(Query query) {
        Set<FoldCall> folds = new LinkedHashSet<>();
        query.aggregate().orElseThrow().folds().forEach(call -> folds.add(unnamed(call)));
        return folds;
    }

    /**
     * Returns the query over the common Aggregate.
     *
     * @param folds of all queries that share, without names
     * @param like gives its scan, filter and keys, so that all are written alike
     */
    public static Query over(Query query, List<FoldCall> folds, Query like) {
        Aggregate mine = query.aggregate().orElseThrow();
        Aggregate theirs = like.aggregate().orElseThrow();
        Map<String, String> names = new HashMap<>();
        List<Named> keys = new ArrayList<>();
        for (int k = 0; k < mine.keys().size(); k++) {
            keys.add(new Named("key" + k, theirs.keys().get(k).expr()));
            names.put(mine.keys().get(k).name(), "key" + k);
        }
        List<FoldCall> named = new ArrayList<>();
        for (int f = 0; f < folds.size(); f++) {
            named.add(renamed(folds.get(f), "fold" + f));
        }
        for (FoldCall call : mine.folds()) {
            names.put(call.name(), "fold" + folds.indexOf(unnamed(call)));
        }
        Aggregate common =
                new Aggregate(theirs.input(), mine.window(), keys, named, theirs.wholeBy());
        Operator root = query.rebuilt(operator -> above(operator, common, names));
        return new Query(query.name(), root, query.when(), query.sql(), query.budget());
    }

    private static Operator above(Operator operator, Aggregate common, Map<String, String> names) {
        if (operator instanceof Operator.Sort sort) {
            Operator input = above(sort.input(), common, names);
            return new Operator.Sort(input, sort.orders(), sort.limit(), sort.offset());
        } else if (operator instanceof Operator.Project project) {
            List<Named> outputs = new ArrayList<>();
            for (Named output : project.outputs()) {
                outputs.add(new Named(output.name(), renamed(output.expr(), names)));
            }
            return new Operator.Project(above(project.input(), common, names), outputs);
        } else if (operator instanceof Operator.Filter filter) {
            Operator input = above(filter.input(), common, names);
            return new Operator.Filter(input, renamed(filter.condition(), names));
        }
        return common;
    }

    private static Expr renamed(Expr expr, Map<String, String> names) {
        if (expr instanceof Expr.Variable variable) {
            String name = names.getOrDefault(variable.name(), variable.name());
            return new Expr.Variable(variable.scope(), name, variable.type());
        } else if (expr instanceof Expr.Call call) {
            List<Expr> arguments = call.arguments().stream().map(a -> renamed(a, names)).toList();
            return new Expr.Call(call.function(), arguments, call.type());
        }
        return expr;
    }
}
