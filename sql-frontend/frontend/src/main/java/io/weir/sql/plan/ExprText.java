package io.weir.sql.plan;

import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Functions;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.MacText;
import io.weir.operators.graph.Operator.Order;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** Writes expressions for people, for plans. */
final class ExprText {
    /** Infix operators, the weakest first; those on one line are equally strong. */
    private static final List<Set<String>> INFIX =
            List.of(
                    Set.of("OR"),
                    Set.of("AND"),
                    Set.of("=", "<>", "<", "<=", ">", ">="),
                    Set.of("<<", ">>"),
                    Set.of("+", "-"),
                    Set.of("*", "/", "%"));

    private static final int TEST = 2;
    private static final int ATOM = 6;

    private ExprText() {}

    static String of(Expr expr) {
        if (expr instanceof Expr.Literal literal) {
            return literal(literal);
        } else if (expr instanceof Expr.Variable variable) {
            return variable.name();
        }
        return call((Expr.Call) expr);
    }

    static String order(Order order) {
        boolean usual = order.nullsFirst() == order.descending();
        String nulls = usual ? "" : order.nullsFirst() ? " nulls first" : " nulls last";
        return order.column() + (order.descending() ? " desc" : "") + nulls;
    }

    private static String literal(Expr.Literal literal) {
        Object value = literal.value();
        if (value == null) {
            return "NULL";
        }
        return switch (literal.type().kind()) {
            case BOOLEAN -> value.toString().toUpperCase(Locale.ROOT);
            case VARCHAR -> "'" + value.toString().replace("'", "''") + "'";
            case INET -> "'" + value + "'";
            case INTERVAL -> duration((Long) value);
            case TIMESTAMP -> time((Long) value);
            case MACADDR -> "'" + MacText.format((Long) value) + "'";
            default -> value.toString();
        };
    }

    static String time(long ns) {
        Instant at =
                Instant.ofEpochSecond(
                        Math.floorDiv(ns, 1_000_000_000L), Math.floorMod(ns, 1_000_000_000L));
        return "'" + at + "'";
    }

    /** Returns the duration in the largest unit without a fraction. */
    static String duration(long ns) {
        long[] units = {
            86_400_000_000_000L,
            3_600_000_000_000L,
            60_000_000_000L,
            1_000_000_000L,
            1_000_000,
            1_000
        };
        List<String> names = List.of("d", "h", "min", "s", "ms", "us");
        for (int i = 0; i < units.length; i++) {
            if (ns != 0 && ns % units[i] == 0) {
                return ns / units[i] + " " + names.get(i);
            }
        }
        return ns + " ns";
    }

    private static String call(Expr.Call call) {
        String name = Functions.unchecked(call.function()).name();
        List<Expr> arguments = call.arguments();
        int strength = strength(call);
        if (name.equals("IS NULL")) {
            return operand(arguments.get(0), ATOM) + " IS NULL";
        } else if (name.equals("NOT")) {
            return "NOT " + operand(arguments.get(0), ATOM);
        } else if (name.equals("CASE")) {
            return choice(arguments);
        } else if (name.equals("negate")) {
            return "-" + operand(arguments.get(0), ATOM);
        } else if (name.equals("in_subnet")) {
            return of(arguments.get(0)) + " IN " + subnet(arguments);
        } else if (strength < ATOM) {
            return arguments.stream()
                    .map(a -> operand(a, strength + 1))
                    .collect(Collectors.joining(" " + name + " "));
        }
        return name.toUpperCase(Locale.ROOT)
                + arguments.stream().map(ExprText::of).collect(Collectors.joining(", ", "(", ")"));
    }

    private static String subnet(List<Expr> arguments) {
        Object network = ((Expr.Literal) arguments.get(1)).value();
        return network + "/" + ((Expr.Literal) arguments.get(2)).value();
    }

    private static String choice(List<Expr> parts) {
        StringBuilder text = new StringBuilder("CASE");
        for (int i = 0; i + 1 < parts.size(); i += 2) {
            text.append(" WHEN ").append(of(parts.get(i)));
            text.append(" THEN ").append(of(parts.get(i + 1)));
        }
        return text.append(" ELSE ")
                .append(of(parts.get(parts.size() - 1)))
                .append(" END")
                .toString();
    }

    /** Returns the operand, in parentheses if it binds weaker than its surroundings. */
    private static String operand(Expr expr, int least) {
        return strength(expr) < least ? "(" + of(expr) + ")" : of(expr);
    }

    private static int strength(Expr expr) {
        if (!(expr instanceof Expr.Call call)) {
            return isNegative(expr) ? TEST : ATOM;
        }
        String name = Functions.unchecked(call.function()).name();
        if (name.equals("IS NULL") || name.equals("NOT") || name.equals("in_subnet")) {
            return TEST;
        }
        for (int i = 0; i < INFIX.size(); i++) {
            if (INFIX.get(i).contains(name) && call.arguments().size() > 1) {
                return i;
            }
        }
        return ATOM;
    }

    private static boolean isNegative(Expr expr) {
        return expr instanceof Expr.Literal literal
                && literal.type().kind() == Kind.BIGINT
                && literal.value() instanceof Long value
                && value < 0;
    }
}
