package io.weir.operators.function;

import io.weir.operators.graph.Expr;
import java.util.List;

/**
 * Facts about a call of an aggregate, beside its arguments. They choose its fold.
 *
 * @param neverEmpty whether each group has a row that the aggregate takes
 * @param distinct whether DISTINCT stands before the arguments
 * @param magnitude bounds the whole numbers in the arguments
 */
public record Facts(boolean neverEmpty, boolean distinct, Magnitude magnitude) {
    /** True if each group has a row in which all these arguments have a value. */
    public boolean some(List<Expr> arguments) {
        return neverEmpty && arguments.stream().noneMatch(a -> a.type().nullable());
    }
}
