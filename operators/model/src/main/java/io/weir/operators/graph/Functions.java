package io.weir.operators.graph;

import static io.weir.operators.graph.Function.NullRule.SPECIAL;
import static io.weir.operators.graph.Function.NullRule.STRICT;
import static io.weir.operators.graph.Function.NullRule.STRICT_OR_ZERO_DIVISOR;
import static io.weir.operators.graph.Kind.BIGINT;
import static io.weir.operators.graph.Kind.BOOLEAN;
import static io.weir.operators.graph.Kind.DOUBLE;
import static io.weir.operators.graph.Kind.INET;
import static io.weir.operators.graph.Kind.INTERVAL;
import static io.weir.operators.graph.Kind.MACADDR;
import static io.weir.operators.graph.Kind.TIMESTAMP;
import static io.weir.operators.graph.Kind.VARCHAR;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Operators, conversions and the special forms: the functions that folds and the compiler need, and
 * the one way to build a call. Others come from the libraries of {@code function}.
 */
public final class Functions {
    /** Three-valued AND and OR over any number of conditions. */
    public static final Function AND = special("AND", BOOLEAN);

    public static final Function OR = special("OR", BOOLEAN);
    public static final Function NOT = special("NOT", BOOLEAN);
    public static final Function IS_NULL = special("IS NULL", BOOLEAN);

    /** condition, value, condition, value, …, else value; the values are of one kind. */
    public static final Function CASE = special("CASE", null);

    /** Before the name of a function: the same, but NULL where its value leaves 64 bits. */
    public static final String CHECKED = "checked ";

    private static final List<Function> ALL = new ArrayList<>();

    static {
        Collections.addAll(ALL, AND, OR, NOT, IS_NULL, CASE);
        arithmetic();
        comparisons();
        bits();
        conversions();
        overflows();
        checked();
    }

    private Functions() {}

    private static void arithmetic() {
        for (Kind kind : List.of(BIGINT, DOUBLE, INTERVAL)) {
            strict("+", kind, "$0 + $1", kind, kind);
            strict("-", kind, "$0 - $1", kind, kind);
            strict("negate", kind, "-$0", kind);
            strict("abs", kind, "Math.abs($0)", kind);
        }
        strict("+", TIMESTAMP, "$0 + $1", TIMESTAMP, INTERVAL);
        strict("-", TIMESTAMP, "$0 - $1", TIMESTAMP, INTERVAL);
        strict("-", INTERVAL, "$0 - $1", TIMESTAMP, TIMESTAMP);
        strict("*", BIGINT, "$0 * $1", BIGINT, BIGINT);
        strict("*", DOUBLE, "$0 * $1", DOUBLE, DOUBLE);
        strict("*", INTERVAL, "$0 * $1", INTERVAL, BIGINT);
        divide("/", BIGINT, "$0 / $1", BIGINT);
        divide("/", DOUBLE, "$0 / $1", DOUBLE);
        divide("/", INTERVAL, "$0 / $1", INTERVAL, BIGINT);
        divide("%", BIGINT, "$0 % $1", BIGINT);
    }

    private static void comparisons() {
        for (Kind kind : List.of(BIGINT, DOUBLE, TIMESTAMP, INTERVAL, MACADDR)) {
            for (String operator : List.of("<", "<=", ">", ">=")) {
                strict(operator, BOOLEAN, "$0 " + operator + " $1", kind, kind);
            }
        }
        for (String operator : List.of("<", "<=", ">", ">=")) {
            strict(operator, BOOLEAN, "$0t.compareTo($1t) " + operator + " 0", VARCHAR, VARCHAR);
        }
        for (Kind kind : List.of(BIGINT, DOUBLE, TIMESTAMP, INTERVAL, MACADDR, BOOLEAN, VARCHAR)) {
            strict("=", BOOLEAN, "$0 == $1", kind, kind);
            strict("<>", BOOLEAN, "$0 != $1", kind, kind);
        }
        strict("=", BOOLEAN, "$0l == $1l && $0h == $1h && $0f == $1f", INET, INET);
        strict("<>", BOOLEAN, "$0l != $1l || $0h != $1h || $0f != $1f", INET, INET);
        String order = Code.call(Subnet.class, "compare", "$0f", "$0h", "$0l", "$1f", "$1h", "$1l");
        for (String operator : List.of("<", "<=", ">", ">=")) {
            strict(operator, BOOLEAN, order + " " + operator + " 0", INET, INET);
        }
    }

    private static void bits() {
        strict("bitand", BIGINT, "$0 & $1", BIGINT, BIGINT);
        strict("bitor", BIGINT, "$0 | $1", BIGINT, BIGINT);
        strict("bitxor", BIGINT, "$0 ^ $1", BIGINT, BIGINT);
        strict("bitnot", BIGINT, "~$0", BIGINT);
        strict("<<", BIGINT, "$0 << $1", BIGINT, BIGINT);
        strict(">>", BIGINT, "$0 >> $1", BIGINT, BIGINT);
    }

    private static void conversions() {
        strict("to_double", DOUBLE, "(double) $0", BIGINT);
        strict("to_bigint", BIGINT, "(long) $0", DOUBLE);
        strict("to_bigint", BIGINT, "$0 ? 1L : 0L", BOOLEAN);
        strict("nanoseconds", BIGINT, "$0", TIMESTAMP);
        strict("nanoseconds", BIGINT, "$0", INTERVAL);
    }

    /** Adds functions that tell whether + and its like wrap. */
    private static void overflows() {
        for (String operator : List.of("plus", "minus", "times")) {
            String code = Code.call(Overflow.class, operator, "$0", "$1");
            strict(operator + "_overflows", BOOLEAN, code, BIGINT, BIGINT);
        }
        strict("negate_overflows", BOOLEAN, overflow("negate($0)"), BIGINT);
        strict("divide_overflows", BOOLEAN, overflow("divide($0, $1)"), BIGINT, BIGINT);
    }

    private static String overflow(String call) {
        return "io.weir.operators.graph.Overflow." + call;
    }

    /** Adds a checked function for each one before it whose whole numbers can leave 64 bits. */
    private static void checked() {
        Map<String, String> beyond =
                Map.of(
                        "+", "plus($0, $1)",
                        "-", "minus($0, $1)",
                        "*", "times($0, $1)",
                        "/", "divide($0, $1)",
                        "negate", "negate($0)",
                        "abs", "negate($0)");
        for (Function plain : List.copyOf(ALL)) {
            if (beyond.containsKey(plain.name()) && !plain.arguments().contains(DOUBLE)) {
                ALL.add(
                        new Function(
                                CHECKED + plain.name(),
                                plain.arguments(),
                                plain.result(),
                                plain.nulls(),
                                plain.code(),
                                overflow(beyond.get(plain.name())),
                                Optional.empty()));
            }
        }
    }

    /** The function without its check, of one that has it; else the same. */
    public static Function unchecked(Function function) {
        boolean checked = function.name().startsWith(CHECKED);
        return checked
                ? find(function.name().substring(CHECKED.length()), function.arguments())
                        .orElseThrow()
                : function;
    }

    /** The function that is NULL where its value leaves 64 bits; the same where there is none. */
    public static Function checked(Function function) {
        return find(CHECKED + function.name(), function.arguments()).orElse(function);
    }

    private static Function special(String name, Kind result) {
        return new Function(name, List.of(), result, SPECIAL, "");
    }

    private static void strict(String name, Kind result, String code, Kind... arguments) {
        ALL.add(new Function(name, Arrays.asList(arguments), result, STRICT, code));
    }

    private static void divide(String name, Kind result, String code, Kind left, Kind right) {
        ALL.add(new Function(name, List.of(left, right), result, STRICT_OR_ZERO_DIVISOR, code));
    }

    private static void divide(String name, Kind kind, String code, Kind both) {
        divide(name, kind, code, both, both);
    }

    /** Returns all functions, in a fixed order. */
    public static List<Function> all() {
        return Collections.unmodifiableList(ALL);
    }

    /** Returns the function of this name over these kinds; empty if there is none. */
    public static Optional<Function> find(String name, List<Kind> kinds) {
        return ALL.stream()
                .filter(f -> f.name().equals(name))
                .filter(f -> f.nulls() == SPECIAL || f.arguments().equals(kinds))
                .findFirst();
    }

    /**
     * Makes a call, with its type. Throws when no function fits: callers check with {@link #find}.
     */
    public static Expr.Call call(String name, Expr... arguments) {
        List<Kind> kinds = Arrays.stream(arguments).map(a -> a.type().kind()).toList();
        Function function =
                find(name, kinds)
                        .orElseThrow(
                                () ->
                                        new IllegalArgumentException(
                                                "no " + name + " over " + kinds));
        return call(function, List.of(arguments));
    }

    public static Expr.Call call(Function function, List<Expr> arguments) {
        return new Expr.Call(function, arguments, typeOf(function, arguments));
    }

    private static Type typeOf(Function function, List<Expr> arguments) {
        boolean anyNullable = arguments.stream().anyMatch(a -> a.type().nullable());
        if (function.equals(IS_NULL)) {
            return Type.BOOLEAN;
        }
        if (function.equals(CASE)) {
            return caseType(arguments);
        }
        boolean divides = function.nulls() == STRICT_OR_ZERO_DIVISOR;
        boolean byZero = divides && !isNonZero(arguments.get(1));
        boolean beyond = !function.beyond().isEmpty();
        return new Type(function.result(), anyNullable || byZero || beyond);
    }

    private static Type caseType(List<Expr> arguments) {
        if (arguments.size() < 3 || arguments.size() % 2 == 0) {
            throw new IllegalArgumentException("CASE of " + arguments.size() + " parts");
        }
        Type otherwise = arguments.get(arguments.size() - 1).type();
        boolean nullable = otherwise.nullable();
        for (int i = 1; i < arguments.size(); i += 2) {
            nullable |= arguments.get(i).type().nullable();
        }
        return new Type(otherwise.kind(), nullable);
    }

    private static boolean isNonZero(Expr expr) {
        return expr instanceof Expr.Literal literal
                && literal.value() instanceof Number number
                && number.doubleValue() != 0;
    }
}
