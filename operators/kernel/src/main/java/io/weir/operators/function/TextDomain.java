package io.weir.operators.function;

import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Functions;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.SymbolSet;
import java.util.List;
import java.util.Set;

/**
 * Bounds the number of different texts that an expression over packets can have. A query keeps
 * those by which it groups, so they must be few. Stateless.
 */
public final class TextDomain {
    /** The most texts of an expression by which a query groups. */
    public static final long MOST = SymbolSet.MOST / 4;

    private static final long NODES = 1 << 6;
    private static final long PROTOCOLS = (1 << 8) + 1;
    private static final long SERVICES = (1 << 16) + (1 << 12);
    private static final long UNBOUNDED = Long.MAX_VALUE;

    /** Functions whose results have numbers that stay. Nobody needs to keep these. */
    private static final Set<String> NAMES = Set.of("protocol_name", "service_name");

    private TextDomain() {}

    /**
     * Returns how many texts a query must keep for the expression: none if it computes none. The
     * texts of a lookup table are the table's.
     */
    public static long kept(Expr expr) {
        boolean computed =
                expr instanceof Expr.Call call
                        && !NAMES.contains(call.function().name())
                        && !TableFunctions.isResult(expr);
        return computed && expr.type().kind() == Kind.VARCHAR ? size(expr) : 0;
    }

    private static long size(Expr expr) {
        if (expr.type().kind() == Kind.BOOLEAN) {
            return 2;
        } else if (expr instanceof Expr.Literal) {
            return 1;
        } else if (expr instanceof Expr.Variable column) {
            return ofColumn(column);
        }
        Expr.Call call = (Expr.Call) expr;
        if (call.function().equals(Functions.CASE)) {
            return ofChoice(call.arguments());
        }
        long tuples = 1;
        for (Expr argument : call.arguments()) {
            tuples = times(tuples, size(argument));
        }
        return switch (call.function().name()) {
            case "protocol_name" -> Math.min(tuples, PROTOCOLS);
            case "service_name" -> Math.min(tuples, SERVICES);
            default -> tuples;
        };
    }

    private static long ofColumn(Expr.Variable column) {
        int wide =
                GpvLayout.all().stream()
                        .flatMap(layout -> layout.field(column.name()).stream())
                        .mapToInt(field -> field.bits())
                        .filter(bits -> column.type().kind() == Kind.BIGINT)
                        .max()
                        .orElse(Long.SIZE);
        long numbers = wide >= Long.SIZE - 1 ? UNBOUNDED : 1L << wide;
        return column.type().kind() == Kind.VARCHAR ? NODES : numbers;
    }

    private static long ofChoice(List<Expr> parts) {
        long sum = size(parts.get(parts.size() - 1));
        for (int i = 1; i < parts.size(); i += 2) {
            long more = size(parts.get(i));
            sum = more > UNBOUNDED - sum ? UNBOUNDED : sum + more;
        }
        return sum;
    }

    private static long times(long a, long b) {
        return a > UNBOUNDED / b ? UNBOUNDED : a * b;
    }
}
