package io.weir.operators.function;

import io.weir.operators.graph.Code;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Expr.Literal;
import io.weir.operators.graph.Expr.Variable;
import io.weir.operators.graph.Function;
import io.weir.operators.graph.Functions;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.LookupTable;
import io.weir.operators.graph.TableSchema.Match;
import io.weir.operators.graph.Type;
import io.weir.operators.table.TableRows;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Functions of the graph that look up a row of a table, and read its columns. SQL does not have
 * them; the planner writes them. The first argument is the table. Kernels find its content at their
 * panes.
 */
public final class TableFunctions {
    private static final String FIND = "lookup";
    private static final String BY_PREFIX = "lookup_prefix";

    private static final Function NO_VALUE =
            Function.strict(
                    "lookup_null",
                    Kind.BOOLEAN,
                    Code.call(TableRows.class, "isNull", "$1", "$2"),
                    a -> table(a).value((Long) a[1], ((Long) a[2]).intValue()) == null,
                    Kind.BIGINT,
                    Kind.BIGINT,
                    Kind.BIGINT);

    private TableFunctions() {}

    private static LookupTable table(Object... arguments) {
        return (LookupTable) arguments[0];
    }

    /** Returns whether a function looks a row up, which is done once for a packet. */
    public static boolean isFind(Function function) {
        return function.name().equals(FIND) || function.name().equals(BY_PREFIX);
    }

    /** Returns whether an expression is a test of a lookup, or a column of the row. */
    public static boolean isResult(Expr expr) {
        if (!(expr instanceof Expr.Call call) || call.arguments().isEmpty()) {
            return false;
        }
        Expr first = call.arguments().get(0);
        boolean tests = call.function().name().equals("<>") && isLookup(first);
        boolean choice = call.function().equals(Functions.CASE) && isResult(first);
        return tests || choice || table(first).isPresent() && !isFind(call.function());
    }

    private static boolean isLookup(Expr expr) {
        return expr instanceof Expr.Call call && isFind(call.function());
    }

    /** Returns the table that an expression is, as a function's first argument. */
    public static Optional<LookupTable> table(Expr expr) {
        return expr instanceof Literal literal && literal.value() instanceof LookupTable table
                ? Optional.of(table)
                : Optional.empty();
    }

    /**
     * Finds the row of a key: its address, or 0.
     *
     * @param key of the kinds of the table's key columns
     */
    public static Expr find(LookupTable table, List<Expr> key) {
        List<Kind> kinds = new ArrayList<>(List.of(Kind.BIGINT));
        key.forEach(part -> kinds.add(part.type().kind()));
        boolean prefix = table.schema().match() == Match.PREFIX;
        List<Expr> arguments = new ArrayList<>(List.of(literal(table)));
        arguments.addAll(key);
        return Functions.call(finding(prefix ? BY_PREFIX : FIND, kinds), arguments);
    }

    private static Function finding(String name, List<Kind> kinds) {
        return Function.strict(
                name,
                Kind.BIGINT,
                name.equals(BY_PREFIX) ? "$0.prefix($1f, $1h, $1l)" : equal(kinds),
                a -> table(a).scan(Arrays.copyOfRange(a, 1, a.length)),
                kinds.toArray(Kind[]::new));
    }

    /** Returns the function of this name over these kinds; empty if there is none. */
    public static Optional<Function> known(String name, List<Kind> kinds) {
        if (name.equals(FIND) || name.equals(BY_PREFIX)) {
            return Optional.of(finding(name, kinds));
        } else if (name.equals(NO_VALUE.name())) {
            return Optional.of(NO_VALUE);
        }
        return Arrays.stream(Kind.values())
                .map(TableFunctions::load)
                .filter(load -> load.name().equals(name))
                .findFirst();
    }

    private static String equal(List<Kind> kinds) {
        StringBuilder code = new StringBuilder("$0");
        String next = ".key(";
        for (int k = 1; k < kinds.size(); k++) {
            for (String word : words(kinds.get(k), "$" + k)) {
                code.append(next).append(word).append(')');
                next = ".and(";
            }
        }
        return code.append(".find()").toString();
    }

    private static List<String> words(Kind kind, String value) {
        return switch (kind) {
            case INET -> List.of(value + "f", value + "h", value + "l");
            case BOOLEAN -> List.of("(" + value + " ? 1L : 0L)");
            case DOUBLE -> throw new IllegalArgumentException("a key of DOUBLE");
            default -> List.of(value);
        };
    }

    private static Literal literal(LookupTable table) {
        return new Literal(table, Type.BIGINT);
    }

    /** Returns whether a row was found. */
    public static Expr isFound(Expr row) {
        return Functions.call("<>", row, Literal.of(0L));
    }

    /**
     * Returns a column of a row.
     *
     * @param row from {@link #find}
     * @param maybe whether there may be no row; then the value is NULL
     */
    public static Expr value(Expr row, int column, boolean maybe) {
        LookupTable table = table(((Expr.Call) row).arguments().get(0)).orElseThrow();
        Variable of = table.schema().columns().get(column);
        Literal word = Literal.of((long) table.schema().word(column));
        Expr known = Functions.call(load(of.type().kind()), List.of(literal(table), row, word));
        if (!maybe && !of.type().nullable()) {
            return known;
        }
        Literal place = Literal.of((long) column);
        Expr isNull = Functions.call(NO_VALUE, List.of(literal(table), row, place));
        return StoredValue.unless(isNull, known);
    }

    private static Function load(Kind kind) {
        String code = StoredValue.code(kind, TableFunctions::word);
        return Function.strict(
                "lookup_" + kind.name().toLowerCase(Locale.ROOT),
                kind,
                code,
                a -> table(a).value((Long) a[1], column(table(a), (Long) a[2])),
                Kind.BIGINT,
                Kind.BIGINT,
                Kind.BIGINT);
    }

    private static int column(LookupTable table, long word) {
        int column = 0;
        while (table.schema().word(column) != word) {
            column++;
        }
        return column;
    }

    private static String word(int number) {
        String place = number == 0 ? "$2" : "$2 + " + number + "L";
        return Code.call(TableRows.class, "word", "$1", place);
    }
}
