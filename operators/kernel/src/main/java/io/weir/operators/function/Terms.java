package io.weir.operators.function;

import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Function;
import java.util.List;

/**
 * A call of a function that is made of SQL's own operators, as COALESCE is made of CASE. The front
 * end converts its arguments and points at errors.
 */
public interface Terms {
    /** Returns the arguments as they are. */
    List<Expr> arguments();

    /** Returns them with the kind that all can take. Throws if there is none. */
    List<Expr> alike();

    /**
     * Returns {@code left operator right}. Throws if the operator does not take them.
     *
     * @param operator a comparison or an operation of arithmetic, as SQL writes it
     */
    Expr operator(String operator, Expr left, Expr right);

    /** Calls a function of the graph that takes any number of arguments of these kinds. */
    Expr call(Function function, List<Expr> arguments);
}
