package io.weir.operators.graph;

import java.util.List;

/**
 * A function: name, types, null rule, code.
 *
 * @param name as plans print it
 * @param arguments kinds, in order; empty for the special forms, which take any number
 * @param result kind of the value; null for the special forms whose kind follows their arguments
 * @param nulls when the value is NULL
 * @param code a Java expression over {@code $0, $1, …}, each a {@code long}, for DOUBLE a {@code
 *     double} and for BOOLEAN a {@code boolean}; an INET argument {@code $n} is three longs, {@code
 *     $nf, $nh, $nl} (family, high, low); for an INET result three expressions, parted by {@code |}
 */
public record Function(
        String name, List<Kind> arguments, Kind result, NullRule nulls, String code) {

    public Function {
        arguments = List.copyOf(arguments);
    }

    /** When a function's value is NULL. */
    public enum NullRule {
        /** When an argument is. */
        STRICT,
        /**
         * When an argument is, or when the second argument is zero: division has no other answer.
         */
        STRICT_OR_ZERO_DIVISOR,
        /** The compiler knows the form: AND, OR, NOT, IS NULL, CASE. */
        SPECIAL
    }
}
