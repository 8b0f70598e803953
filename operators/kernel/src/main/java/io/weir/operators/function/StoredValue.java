package io.weir.operators.function;

import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Expr.Literal;
import io.weir.operators.graph.Functions;
import io.weir.operators.graph.Kind;
import java.util.List;
import java.util.function.IntFunction;

/** Values that bindings and tables keep in words. Stateless. */
final class StoredValue {
    private StoredValue() {}

    /**
     * Returns the code of a value, as {@link io.weir.operators.graph.Function} has it.
     *
     * @param word the code of the value's word of this number, from 0
     */
    static String code(Kind kind, IntFunction<String> word) {
        return switch (kind) {
            case BOOLEAN -> word.apply(0) + " != 0L";
            case DOUBLE -> "Double.longBitsToDouble(" + word.apply(0) + ")";
            case INET -> word.apply(0) + "|" + word.apply(1) + "|" + word.apply(2);
            default -> word.apply(0);
        };
    }

    /** Returns the value, or NULL where the condition holds. */
    static Expr unless(Expr isNull, Expr value) {
        Literal none = Literal.nullOf(value.type().kind());
        return Functions.call(Functions.CASE, List.of(isNull, none, value));
    }
}
