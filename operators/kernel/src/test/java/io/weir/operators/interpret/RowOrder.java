package io.weir.operators.interpret;

import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Inet;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.Operator;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** The orders of rows: canonical, and ORDER BY. */
final class RowOrder {
    private RowOrder() {}

    /**
     * The canonical order, but with IPv4 groups before IPv6 ones if keys are packets' addresses.
     */
    static Comparator<List<Object>> ofGroups(List<Operator.Named> keys, boolean ofPackets) {
        List<Operator.Named> addresses =
                keys.stream().filter(k -> k.expr().type().kind() == Kind.INET).toList();
        if (!ofPackets
                || addresses.isEmpty()
                || !addresses.stream().allMatch(k -> isOfPacket(k.expr()))) {
            return RowOrder::canonical;
        }
        int first = keys.indexOf(addresses.get(0));
        Comparator<List<Object>> byFamily =
                Comparator.comparing(k -> ((Inet) k.get(first)).family());
        return byFamily.thenComparing(RowOrder::canonical);
    }

    /** Returns whether it is a column, or a choice of a CASE among columns. */
    private static boolean isOfPacket(Expr expr) {
        if (!(expr instanceof Expr.Call call) || !call.function().name().equals("CASE")) {
            return expr instanceof Expr.Variable;
        }
        List<Expr> parts = call.arguments();
        return IntStream.range(0, parts.size())
                .filter(i -> i % 2 == 1 || i == parts.size() - 1)
                .allMatch(i -> isOfPacket(parts.get(i)));
    }

    /** Column by column as unsigned words or by letters, NULL last, IPv4 before IPv6. */
    static int canonical(List<Object> left, List<Object> right) {
        for (int i = 0; i < left.size(); i++) {
            int order = canonicalValue(left.get(i), right.get(i));
            if (order != 0) {
                return order;
            }
        }
        return 0;
    }

    private static int canonicalValue(Object left, Object right) {
        if (left == null || right == null) {
            return Boolean.compare(left == null, right == null);
        } else if (left instanceof Inet inet) {
            return inet.compareTo((Inet) right);
        } else if (left instanceof String text) {
            return text.compareTo((String) right);
        }
        return Long.compareUnsigned(word(left), word(right));
    }

    private static long word(Object value) {
        if (value instanceof Boolean truth) {
            return truth ? 1 : 0;
        } else if (value instanceof Double real) {
            return Double.doubleToLongBits(real);
        }
        return (Long) value;
    }

    /** ORDER BY over rows with these columns. */
    static Comparator<List<Object>> by(List<Operator.Order> orders, List<Expr.Variable> columns) {
        Comparator<List<Object>> all = Comparator.comparing(row -> 0);
        for (Operator.Order order : orders) {
            int column = columns.stream().map(Expr.Variable::name).toList().indexOf(order.column());
            all = all.thenComparing((l, r) -> compare(order, l.get(column), r.get(column)));
        }
        return all;
    }

    @SuppressWarnings("unchecked")
    private static int compare(Operator.Order order, Object left, Object right) {
        if (left == null || right == null) {
            int nullsLast = Boolean.compare(left == null, right == null);
            return order.nullsFirst() ? -nullsLast : nullsLast;
        }
        int ascending = ((Comparable<Object>) left).compareTo(right);
        return order.descending() ? -ascending : ascending;
    }
}
