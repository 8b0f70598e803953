package io.weir.operators.graph;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A function: name, types, null rule, code. Two are equal when these are.
 *
 * @param name as plans print it
 * @param arguments kinds, in order; empty for the special forms, which take any number
 * @param result kind of the value; null for the special forms whose kind follows their arguments
 * @param nulls when the value is NULL
 * @param code a Java expression over {@code $0, $1, …}. Each is a {@code long}, for DOUBLE a {@code
 *     double} and for BOOLEAN a {@code boolean}. An INET argument {@code $n} is three longs, {@code
 *     $nf, $nh, $nl} (family, high, low). An INET result is three expressions, parted by {@code |}.
 *     A VARCHAR argument {@code $n} is its number, and {@code $nt} its String
 * @param beyond a Java expression like {@code code}; it is true if the value leaves 64 bits, and so
 *     is NULL. Empty if no value does
 * @param plain the same over boxed values; empty where the interpreter knows the function itself
 */
public record Function(
        String name,
        List<Kind> arguments,
        Kind result,
        NullRule nulls,
        String code,
        String beyond,
        Optional<Plain> plain) {

    /** Before the code of a function that makes a String; without it a VARCHAR is a number. */
    public static final String TEXT = "text ";

    /** A function that the interpreter knows itself. */
    public Function(String name, List<Kind> arguments, Kind result, NullRule nulls, String code) {
        this(name, arguments, result, nulls, code, "", Optional.empty());
    }

    /** Returns whether its code makes a String. */
    public boolean isText() {
        return code.startsWith(TEXT);
    }

    public Function {
        arguments = List.copyOf(arguments);
    }

    /** One whose value is NULL when an argument is. */
    public static Function strict(
            String name, Kind result, String code, Plain plain, Kind... arguments) {
        Optional<Plain> known = Optional.ofNullable(plain);
        return new Function(name, List.of(arguments), result, NullRule.STRICT, code, "", known);
    }

    /**
     * Computes a function of boxed values (Boolean, Long, Double, Inet, String), none of them null.
     * It is written to be read, apart from the code that kernels run, which is tested against it.
     */
    public interface Plain {
        Object of(Object... arguments);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Function function
                && name.equals(function.name)
                && arguments.equals(function.arguments)
                && result == function.result
                && nulls == function.nulls
                && code.equals(function.code)
                && beyond.equals(function.beyond);
    }

    @Override
    public int hashCode() {
        return Objects.hash(name, arguments, result, nulls, code, beyond);
    }

    /** The rule for a function's NULL. */
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
