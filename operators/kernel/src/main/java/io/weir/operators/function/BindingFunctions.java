package io.weir.operators.function;

import io.weir.operators.graph.Code;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Expr.Literal;
import io.weir.operators.graph.Function;
import io.weir.operators.graph.Functions;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.Type;
import io.weir.operators.map.BindingTable;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Functions of the graph that look up a packet's binding, of a query that uses values of its
 * upstream. SQL does not have them; the planner writes them. Kernels find the table at their panes.
 */
public final class BindingFunctions {
    private static final String FIND = "binding";

    private static final String AT = "binding_at";

    private static final Function ACTIVE =
            Function.strict(
                    AT,
                    Kind.BIGINT,
                    "panes.bindings().at($0, $1)",
                    null,
                    Kind.BIGINT,
                    Kind.TIMESTAMP);

    private static final Function ID =
            Function.strict(
                    "binding_id",
                    Kind.BIGINT,
                    Code.call(BindingTable.class, "id", "$0"),
                    null,
                    Kind.BIGINT);

    private static final Function ROW_TIME =
            Function.strict("row_time", Kind.TIMESTAMP, "endNs - 1L", null);

    private BindingFunctions() {}

    /** Returns whether a function looks a binding up, which is done once for a packet. */
    public static boolean isFind(Function function) {
        return function.name().equals(FIND) || function.name().equals(AT);
    }

    /** Returns the number of words that a value takes in a table. */
    public static int words(Kind kind) {
        return kind == Kind.INET ? 3 : 1;
    }

    /** Finds the binding of a key: its address, or 0. */
    public static Expr find(List<Expr> key) {
        return Functions.call(finding(key.stream().map(part -> part.type().kind()).toList()), key);
    }

    private static Function finding(List<Kind> kinds) {
        StringBuilder code = new StringBuilder("panes.bindings()");
        String next = ".key(";
        for (int k = 0; k < kinds.size(); k++) {
            for (String word : code(kinds.get(k), "$" + k)) {
                code.append(next).append(word).append(')');
                next = ".and(";
            }
        }
        code.append(".find()");
        return Function.strict(
                FIND, Kind.BIGINT, code.toString(), null, kinds.toArray(Kind[]::new));
    }

    /** Returns the function of this name over these kinds; empty if there is none. */
    public static Optional<Function> known(String name, List<Kind> kinds) {
        if (name.equals(FIND)) {
            return kinds.contains(Kind.DOUBLE) ? Optional.empty() : Optional.of(finding(kinds));
        }
        Stream<Function> loads = Arrays.stream(Kind.values()).map(BindingFunctions::load);
        return Stream.concat(Stream.of(ACTIVE, ID, ROW_TIME), loads)
                .filter(one -> one.name().equals(name))
                .findFirst();
    }

    private static List<String> code(Kind kind, String value) {
        return switch (kind) {
            case INET -> List.of(value + "f", value + "h", value + "l");
            case BOOLEAN -> List.of("(" + value + " ? 1L : 0L)");
            case DOUBLE -> throw new IllegalArgumentException("a key of DOUBLE");
            default -> List.of(value);
        };
    }

    /** Returns whether there is a binding, or an activation. */
    public static Expr isFound(Expr binding) {
        return Functions.call("<>", binding, Literal.of(0L));
    }

    /** Finds the activation of a binding that counts at that time: its address, or 0. */
    public static Expr active(Expr binding, Expr time) {
        return Functions.call(ACTIVE, List.of(binding, time));
    }

    /** Returns the number of the binding's activation. */
    public static Expr id(Expr binding) {
        return Functions.call(ID, List.of(binding));
    }

    /** Returns the last instant of the rows that a kernel reads, for rows without a time. */
    public static Expr rowTime() {
        return Functions.call(ROW_TIME, List.of());
    }

    /**
     * Returns a value of the row that woke the binding.
     *
     * @param word the place of its first word after the slot's head. The word before it is 1 if the
     *     value is NULL
     */
    public static Expr value(Expr binding, int word, Type type) {
        Expr known = Functions.call(load(type.kind()), List.of(binding, Literal.of((long) word)));
        if (!type.nullable()) {
            return known;
        }
        Expr flag = Functions.call(load(Kind.BIGINT), List.of(binding, Literal.of(word - 1L)));
        return StoredValue.unless(Functions.call("=", flag, Literal.of(1L)), known);
    }

    private static Function load(Kind kind) {
        String code = StoredValue.code(kind, BindingFunctions::word);
        return Function.strict(
                "binding_" + kind.name().toLowerCase(Locale.ROOT),
                kind,
                code,
                null,
                Kind.BIGINT,
                Kind.BIGINT);
    }

    private static String word(int number) {
        String place = number == 0 ? "$1" : "$1 + " + number + "L";
        return Code.call(BindingTable.class, "word", "$0", place);
    }
}
