package io.weir.operators.kernel;

import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Functions;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.Operator.FoldCall;
import io.weir.operators.kernel.code.Plan;
import io.weir.operators.kernel.code.StateLayout;
import io.weir.operators.memory.Memory;
import java.util.Optional;
import java.util.Set;

/**
 * The lower bound that HAVING sets for one word of a group. HAVING may have other conditions.
 * Queries that share groups and test the same {@link Figure} use one {@link Shortlist}.
 *
 * @param least the least value of the figure that the query wants
 */
record Threshold(Figure figure, long least) {
    private static final Set<String> ORDERS = Set.of("<", "<=", ">", ">=");

    /**
     * A word of a settled group.
     *
     * @param offset from the value
     * @param under whether the query wants small words; then small words are large figures
     */
    record Figure(int offset, boolean under) {
        long of(long value) {
            long word = Memory.getLong(value + offset);
            return under ? ~word : word;
        }
    }

    /** Returns the first such condition of a query's HAVING. */
    static Optional<Threshold> of(Plan plan, StateLayout state) {
        return plan.having().flatMap(having -> of(having, plan, state));
    }

    private static Optional<Threshold> of(Expr condition, Plan plan, StateLayout state) {
        if (!(condition instanceof Expr.Call call)) {
            return Optional.empty();
        } else if (call.function().equals(Functions.AND)) {
            return call.arguments().stream()
                    .flatMap(argument -> of(argument, plan, state).stream())
                    .findFirst();
        } else if (call.arguments().size() != 2) {
            return Optional.empty();
        }
        Expr left = call.arguments().get(0);
        Expr right = call.arguments().get(1);
        String operator = call.function().name();
        return compared(left, operator, right, plan, state)
                .or(() -> compared(right, mirrored(operator), left, plan, state));
    }

    private static String mirrored(String operator) {
        return switch (operator) {
            case "<" -> ">";
            case "<=" -> ">=";
            case ">" -> "<";
            case ">=" -> "<=";
            default -> operator;
        };
    }

    private static Optional<Threshold> compared(
            Expr figure, String operator, Expr number, Plan plan, StateLayout state) {
        if (!(number instanceof Expr.Literal literal) || !(literal.value() instanceof Long n)) {
            return Optional.empty();
        }
        if (!ORDERS.contains(operator)) {
            return Optional.empty();
        }
        boolean under = operator.startsWith("<");
        long bound = under ? ~n : n;
        if (!orEqual(operator) && bound == Long.MAX_VALUE) {
            return Optional.empty();
        }
        long least = orEqual(operator) ? bound : bound + 1;
        return offset(figure, plan, state)
                .map(offset -> new Threshold(new Figure(offset, under), least));
    }

    private static boolean orEqual(String operator) {
        return operator.endsWith("=");
    }

    /**
     * Returns the offset of an expression's value, if it is a whole number that is kept as it is.
     */
    private static Optional<Integer> offset(Expr expr, Plan plan, StateLayout state) {
        if (!(expr instanceof Expr.Variable column) || column.type().kind() != Kind.BIGINT) {
            return Optional.empty();
        }
        for (FoldCall call : plan.folds()) {
            for (int w = 0; w < call.fold().state().size(); w++) {
                if (call.name().equals(column.name())
                        && call.fold().result().equals(call.fold().state().get(w).mine())) {
                    return Optional.of((state.firstWordOf(call) + w) * Long.BYTES);
                }
            }
        }
        return Optional.empty();
    }
}
