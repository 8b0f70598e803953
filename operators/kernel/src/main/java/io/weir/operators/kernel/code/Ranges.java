package io.weir.operators.kernel.code;

import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Expr.Literal;
import io.weir.operators.graph.Fold.Assignment;
import io.weir.operators.graph.Fold.StateWord;
import io.weir.operators.graph.Functions;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.Operator.FoldCall;
import java.util.List;

/**
 * Decides whether a word of a fold's state is never negative and less than 2^32 for any packets.
 */
final class Ranges {
    private static final long MOST = (1L << Integer.SIZE) - 1;

    /** The range of a value that may be negative, or of any size. */
    private static final long UNKNOWN = Long.MAX_VALUE;

    private final FoldCall call;
    private final StateWord word;

    /**
     * @param call over columns of packets
     */
    Ranges(FoldCall call, StateWord word) {
        this.call = call;
        this.word = word;
    }

    /**
     * Returns whether the word fits at first, and after an update if it fitted before. Merges have
     * whole words.
     */
    boolean fits() {
        return most(word.initial()) <= MOST
                && call.fold().update().stream()
                        .filter(assignment -> assignment.state().equals(word.name()))
                        .map(Assignment::value)
                        .allMatch(value -> !value.type().nullable() && most(value) <= MOST);
    }

    /** Returns the most that a value can be if it is never negative. */
    private long most(Expr expr) {
        if (expr.type().kind() != Kind.BIGINT) {
            return UNKNOWN;
        } else if (expr instanceof Expr.Variable variable) {
            return most(variable);
        } else if (expr instanceof Expr.Call result) {
            List<Expr> parts = result.arguments();
            boolean isChoice = result.function().equals(Functions.CASE);
            return isChoice ? ofChoice(parts) : ofTwo(result.function().name(), parts);
        }
        return literal(expr);
    }

    private static long literal(Expr expr) {
        boolean known = expr instanceof Literal literal && literal.value() instanceof Long;
        long value = known ? (Long) ((Literal) expr).value() : UNKNOWN;
        return value >= 0 ? value : UNKNOWN;
    }

    private long most(Expr.Variable variable) {
        return switch (variable.scope()) {
            case COLUMN -> {
                int bits = Widths.bits(variable, false);
                yield bits < Long.SIZE ? (1L << bits) - 1 : UNKNOWN;
            }
            case ARGUMENT -> most(call.arguments().get(call.fold().arguments().indexOf(variable)));
            case STATE -> variable.name().equals(word.name()) ? MOST : UNKNOWN;
            case OTHER -> UNKNOWN;
        };
    }

    private long ofChoice(List<Expr> parts) {
        long most = most(parts.get(parts.size() - 1));
        for (int i = 1; i < parts.size(); i += 2) {
            most = Math.max(most, most(parts.get(i)));
        }
        return most;
    }

    /** A division by 0 gives NULL, which updates nothing. */
    private long ofTwo(String function, List<Expr> parts) {
        if (parts.size() != 2) {
            return UNKNOWN;
        }
        long left = most(parts.get(0));
        long right = most(parts.get(1));
        boolean known = left < UNKNOWN && right < UNKNOWN;
        return switch (function) {
            case "+" -> known && left < UNKNOWN - right ? left + right : UNKNOWN;
            case "bitand" -> Math.min(left, right);
            case "/" -> known ? left : UNKNOWN;
            case "%" -> known ? Math.min(left, Math.max(right, 1) - 1) : UNKNOWN;
            default -> UNKNOWN;
        };
    }
}
