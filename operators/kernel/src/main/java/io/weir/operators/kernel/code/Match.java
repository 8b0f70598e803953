package io.weir.operators.kernel.code;

import io.weir.operators.graph.Expr;
import java.util.Optional;

/**
 * A condition that some bits of a column of two bytes, or all of them, have a value.
 *
 * @param column of integers
 */
record Match(Expr.Variable column, long mask, long value) {
    private static final long ALL = 0xffffL;

    /**
     * Returns the condition in this form, if it has it: {@code column = 2}, {@code bitand(column,
     * 18) = 2}.
     */
    static Optional<Match> of(Expr condition) {
        if (!(condition instanceof Expr.Call equal)
                || !equal.function().name().equals("=")
                || !isTwoBytes(equal.arguments().get(1))) {
            return Optional.empty();
        }
        long value = word(equal.arguments().get(1));
        if (equal.arguments().get(0) instanceof Expr.Variable column) {
            return Optional.of(new Match(column, ALL, value));
        }
        return equal.arguments().get(0) instanceof Expr.Call and
                        && and.function().name().equals("bitand")
                        && and.arguments().get(0) instanceof Expr.Variable column
                        && isTwoBytes(and.arguments().get(1))
                ? Optional.of(new Match(column, word(and.arguments().get(1)), value))
                : Optional.empty();
    }

    /** Returns whether the condition is about all bits of the column. */
    boolean isWhole() {
        return mask == ALL;
    }

    private static boolean isTwoBytes(Expr expr) {
        return expr instanceof Expr.Literal literal
                && literal.value() instanceof Long word
                && (word & ~ALL) == 0;
    }

    private static long word(Expr literal) {
        return (Long) ((Expr.Literal) literal).value();
    }
}
