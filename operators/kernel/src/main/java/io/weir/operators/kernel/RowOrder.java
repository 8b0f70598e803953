package io.weir.operators.kernel;

import io.weir.operators.graph.Kind;
import io.weir.operators.graph.Operator;
import io.weir.operators.graph.Symbols;
import io.weir.operators.memory.Memory;
import io.weir.operators.rows.RowLayout;
import java.util.List;

/** Orders of rows in memory: ORDER BY, and the canonical order of rows without one. Cold. */
final class RowOrder {
    private RowOrder() {}

    /** Compares so many words as unsigned numbers. */
    static int words(long left, long right, int count) {
        for (int w = 0; w < count; w++) {
            long offset = (long) w * Long.BYTES;
            int order =
                    Long.compareUnsigned(
                            Memory.getLong(left + offset), Memory.getLong(right + offset));
            if (order != 0) {
                return order;
            }
        }
        return 0;
    }

    /** Orders by time, then column by column: unsigned words, or letters; NULL last. */
    static AddressSort.Order canonical(RowLayout layout) {
        return (left, right) -> {
            int order = Long.compare(Memory.getLong(left), Memory.getLong(right));
            for (int c = 0; order == 0 && c < layout.columns().size(); c++) {
                order = column(layout, c, left + Long.BYTES, right + Long.BYTES);
            }
            return order;
        };
    }

    private static int column(RowLayout layout, int c, long left, long right) {
        boolean leftNull = isNull(left, c);
        boolean rightNull = isNull(right, c);
        if (leftNull || rightNull) {
            return Boolean.compare(leftNull, rightNull);
        }
        int offset = layout.offset(c);
        return layout.kind(c) == Kind.VARCHAR
                ? values(Kind.VARCHAR, left + offset, right + offset)
                : words(left + offset, right + offset, RowLayout.words(layout.kind(c)));
    }

    static boolean isNull(long row, int column) {
        long bits = Memory.getLong(row + (column >> 6) * (long) Long.BYTES);
        return (bits >>> column & 1) != 0;
    }

    /** Orders by columns as unsigned words, NULL last. Equal values are equal words. */
    static AddressSort.Order columns(RowLayout layout, List<String> names) {
        int[] columns = names.stream().mapToInt(layout::indexOf).toArray();
        return (left, right) -> {
            int order = 0;
            for (int i = 0; order == 0 && i < columns.length; i++) {
                order = column(layout, columns[i], left, right);
            }
            return order;
        };
    }

    /** Orders as ORDER BY says. */
    static AddressSort.Order by(List<Operator.Order> orders, RowLayout layout) {
        int[] columns = orders.stream().mapToInt(o -> layout.indexOf(o.column())).toArray();
        return (left, right) -> {
            for (int i = 0; i < columns.length; i++) {
                int order = compare(orders.get(i), layout, columns[i], left, right);
                if (order != 0) {
                    return order;
                }
            }
            return 0;
        };
    }

    private static int compare(
            Operator.Order order, RowLayout layout, int c, long left, long right) {
        boolean leftNull = isNull(left, c);
        boolean rightNull = isNull(right, c);
        if (leftNull || rightNull) {
            int nullsLast = Boolean.compare(leftNull, rightNull);
            return order.nullsFirst() ? -nullsLast : nullsLast;
        }
        int offset = layout.offset(c);
        int ascending = values(layout.kind(c), left + offset, right + offset);
        return order.descending() ? -ascending : ascending;
    }

    private static int values(Kind kind, long left, long right) {
        long a = Memory.getLong(left);
        long b = Memory.getLong(right);
        return switch (kind) {
            case DOUBLE -> Double.compare(Double.longBitsToDouble(a), Double.longBitsToDouble(b));
            case VARCHAR -> a == b ? 0 : Symbols.text(a).compareTo(Symbols.text(b));
            case INET -> words(left, right, RowLayout.words(kind));
            default -> Long.compare(a, b);
        };
    }
}
