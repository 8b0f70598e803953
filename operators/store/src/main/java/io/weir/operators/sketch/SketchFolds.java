package io.weir.operators.sketch;

import io.weir.operators.graph.Code;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Expr.Literal;
import io.weir.operators.graph.Expr.Variable;
import io.weir.operators.graph.Fold;
import io.weir.operators.graph.Fold.Assignment;
import io.weir.operators.graph.Fold.StateWord;
import io.weir.operators.graph.Function;
import io.weir.operators.graph.Function.NullRule;
import io.weir.operators.graph.Functions;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.Symbols;
import io.weir.operators.graph.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * Approximate aggregates: folds whose one state word is the handle of a sketch in the pane's {@link
 * SketchPool}. Their functions have effects, so they are not in {@link Functions#all}. Kernels
 * update such a fold in place, once for each packet that it takes.
 */
public final class SketchFolds {
    private static final String DISTINCT = "APPROX_COUNT_DISTINCT";
    private static final StateWord HANDLE =
            new StateWord("sketch", Kind.BIGINT, Literal.of(SketchPool.UNBOUND));

    private static final Function MERGE =
            method("merge_sketches", Kind.BIGINT, "merge", Kind.BIGINT, Kind.BIGINT);
    private static final Function IS_REFUSED =
            method("is_refused", Kind.BOOLEAN, "isRefused", Kind.BIGINT);

    private static final Function ADD_DISTINCT =
            method("add_distinct", Kind.BIGINT, "addDistinct", Kind.BIGINT, Kind.BIGINT);
    private static final Function RESULT_DISTINCT =
            method("distinct", Kind.BIGINT, "distinct", Kind.BIGINT);
    private static final Function ADD_QUANTILE =
            method("add_quantile", Kind.BIGINT, "addQuantile", Kind.BIGINT, Kind.DOUBLE);
    private static final Function QUANTILE =
            method("quantile", Kind.DOUBLE, "quantile", Kind.BIGINT, Kind.DOUBLE);
    private static final Function HAS_QUANTILE =
            method("has_quantile", Kind.BOOLEAN, "hasQuantile", Kind.BIGINT);
    private static final Function HAS_TOP =
            method("has_top", Kind.BOOLEAN, "hasTop", Kind.BIGINT, Kind.BIGINT);
    private static final Function TOP_COUNT =
            method("top_count", Kind.BIGINT, "topCount", Kind.BIGINT, Kind.BIGINT);

    private SketchFolds() {}

    /** Returns whether a fold's state is a sketch. */
    public static boolean isOne(Fold fold) {
        return fold.state().stream().anyMatch(w -> SketchPool.isHandle(w.initial().value()));
    }

    /** Returns whether a second update with the same arguments changes nothing. */
    public static boolean isIdempotent(Fold fold) {
        return isOne(fold) && fold.name().equals(DISTINCT);
    }

    /** Returns the hash of a tuple, for {@link #distinct}. */
    public static Expr hashOf(List<Expr> values) {
        Expr hash = Literal.of(0L);
        for (Expr value : values) {
            hash = Functions.call(hashOf(value.type().kind()), List.of(hash, value));
        }
        return hash;
    }

    private static Function hashOf(Kind kind) {
        String word =
                switch (kind) {
                    case INET -> "$1f, $1h, $1l";
                    case BOOLEAN -> "$1 ? 1L : 0L";
                    // Sketches travel to other processes, but a symbol's number belongs to one
                    // process.
                    case VARCHAR -> Code.call(Symbols.class, "hash", "$1");
                    // SQL treats -0.0 as 0.0.
                    case DOUBLE -> "Double.doubleToLongBits($1 + 0.0)";
                    default -> "$1";
                };
        return function(
                "hash",
                Kind.BIGINT,
                sketch("hash", ("$0, " + word).split(", ")),
                Kind.BIGINT,
                kind);
    }

    /** APPROX_COUNT_DISTINCT over the hash of a tuple. */
    public static Fold distinct() {
        Expr result = Functions.call(RESULT_DISTINCT, List.of(HANDLE.mine()));
        return fold(DISTINCT, argument(Kind.BIGINT), ADD_DISTINCT, orNull(refused(), result));
    }

    /** APPROX_QUANTILE(x, rank): NULL without values. */
    public static Fold quantile(double rank) {
        Expr none = not(Functions.call(HAS_QUANTILE, List.of(HANDLE.mine())));
        Expr value = Functions.call(QUANTILE, List.of(HANDLE.mine(), Literal.of(rank)));
        return fold("APPROX_QUANTILE", argument(Kind.DOUBLE), ADD_QUANTILE, orNull(none, value));
    }

    /** APPROX_TOP(x, rank): the value of this rank by frequency; NULL when there are fewer. */
    public static Fold top(Kind kind, long rank) {
        return top("APPROX_TOP", kind, rank, topOf(kind));
    }

    private static Function topOf(Kind kind) {
        String low = sketch("topLow", "$0", "$1");
        String code =
                switch (kind) {
                    case INET ->
                            sketch("topFamily", "$0", "$1")
                                    + "|"
                                    + sketch("topHigh", "$0", "$1")
                                    + "|"
                                    + low;
                    case BOOLEAN -> low + " != 0L";
                    default -> low;
                };
        return function("top", kind, code, Kind.BIGINT, Kind.BIGINT);
    }

    /** APPROX_TOP_COUNT(x, rank): the frequency of that value. */
    public static Fold topCount(Kind kind, long rank) {
        return top("APPROX_TOP_COUNT", kind, rank, TOP_COUNT);
    }

    private static Fold top(String name, Kind kind, long rank, Function result) {
        List<Expr> arguments = List.of(HANDLE.mine(), Literal.of(rank));
        Expr none = not(Functions.call(HAS_TOP, arguments));
        Expr value = Functions.call(result, arguments);
        return fold(name, argument(kind), addTop(kind), orNull(none, value));
    }

    private static Function addTop(Kind kind) {
        String word =
                switch (kind) {
                    case INET -> "$1f, $1h, $1l";
                    case BOOLEAN -> "$1 ? 1L : 0L";
                    default -> "$1";
                };
        String code = sketch("addTop", ("$0, " + word).split(", "));
        return function("add_top", Kind.BIGINT, code, Kind.BIGINT, kind);
    }

    /** Returns the functions of these folds, and of hashes. Each has its own name or kinds. */
    public static List<Function> functions() {
        List<Function> all = new ArrayList<>();
        Collections.addAll(all, MERGE, IS_REFUSED, ADD_DISTINCT, RESULT_DISTINCT);
        Collections.addAll(all, ADD_QUANTILE, QUANTILE, HAS_QUANTILE, HAS_TOP, TOP_COUNT);
        for (Kind kind : Kind.values()) {
            Collections.addAll(all, hashOf(kind), addTop(kind), topOf(kind));
        }
        return all;
    }

    private static Expr refused() {
        return Functions.call(IS_REFUSED, List.of(HANDLE.mine()));
    }

    private static Expr not(Expr condition) {
        return Functions.call(Functions.NOT, List.of(condition));
    }

    private static Expr orNull(Expr none, Expr value) {
        return Functions.call("CASE", none, Literal.nullOf(value.type().kind()), value);
    }

    private static Variable argument(Kind kind) {
        return new Variable(Expr.Scope.ARGUMENT, "x", new Type(kind, false));
    }

    private static String sketch(String method, String... arguments) {
        return Code.call(Sketches.class, method, arguments);
    }

    /** Returns the call of a method of {@link Sketches} with the arguments in their order. */
    private static Function method(String name, Kind result, String method, Kind... arguments) {
        String[] places = new String[arguments.length];
        Arrays.setAll(places, i -> "$" + i);
        return function(name, result, sketch(method, places), arguments);
    }

    private static Function function(String name, Kind result, String code, Kind... arguments) {
        return new Function(name, Arrays.asList(arguments), result, NullRule.STRICT, code);
    }

    private static Fold fold(String name, Variable argument, Function add, Expr result) {
        Expr added = Functions.call(add, List.of(HANDLE.mine(), argument));
        Expr merged = Functions.call(MERGE, List.of(HANDLE.mine(), HANDLE.other()));
        return new Fold(
                name,
                List.of(argument),
                List.of(HANDLE),
                List.of(new Assignment(HANDLE.name(), added)),
                List.of(new Assignment(HANDLE.name(), merged)),
                result,
                false);
    }
}
