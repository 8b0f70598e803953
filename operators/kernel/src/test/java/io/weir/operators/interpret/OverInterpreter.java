package io.weir.operators.interpret;

import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Operator;
import io.weir.operators.graph.Operator.OverCall;
import io.weir.operators.graph.OverFrame;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Computes the columns of OVER from lists of all rows, one row at a time. */
final class OverInterpreter {
    private static final BigInteger MOST = BigInteger.valueOf(Long.MAX_VALUE);
    private static final BigInteger LEAST = BigInteger.valueOf(Long.MIN_VALUE);

    /** All rows of earlier windows. */
    private final List<Map<String, Object>> before = new ArrayList<>();

    private List<Expr.Variable> columns;

    /** The end of the first window with rows: nothing is forgotten here. */
    private Long sinceNs;

    /**
     * @param rows of one batch, in canonical order
     * @param endNs of the batch's window
     */
    List<Map<String, Object>> compute(Operator.Over over, List<List<Object>> rows, long endNs) {
        columns = over.input().columns();
        List<Map<String, Object>> made = new ArrayList<>();
        for (List<Object> row : rows) {
            Map<String, Object> named = new HashMap<>();
            for (int c = 0; c < columns.size(); c++) {
                named.put(columns.get(c).name(), row.get(c));
            }
            made.add(named);
        }
        if (sinceNs == null && !made.isEmpty()) {
            sinceNs = over.time().isEmpty() ? endNs : (Long) made.get(0).get(over.time());
        }
        for (OverCall call : over.calls()) {
            List<Map<String, Object>> all = new ArrayList<>(call.history() ? before : List.of());
            all.addAll(made);
            for (Map<String, Object> row : made) {
                List<String> same = new ArrayList<>(call.partition());
                if (!call.history() && !over.time().isEmpty()) {
                    same.add(over.time());
                }
                List<Map<String, Object>> partition =
                        new ArrayList<>(all.stream().filter(r -> alike(r, row, same)).toList());
                partition.sort(order(call));
                row.put(call.name(), value(call, partition, row));
            }
        }
        before.addAll(made);
        return made;
    }

    private static boolean alike(
            Map<String, Object> left, Map<String, Object> right, List<String> names) {
        return names.stream().allMatch(name -> Objects.equals(left.get(name), right.get(name)));
    }

    private Comparator<Map<String, Object>> order(OverCall call) {
        Comparator<List<Object>> order = RowOrder.by(call.orders(), columns);
        return (left, right) -> order.compare(values(left), values(right));
    }

    private List<Object> values(Map<String, Object> row) {
        List<Object> values = new ArrayList<>();
        columns.forEach(column -> values.add(row.get(column.name())));
        return values;
    }

    private Object value(
            OverCall call, List<Map<String, Object>> partition, Map<String, Object> row) {
        int at = 0;
        while (partition.get(at) != row) {
            at++;
        }
        int here = at;
        Comparator<Map<String, Object>> order = order(call);
        return switch (call.function()) {
            case ROW_NUMBER -> at + 1L;
            case RANK -> 1 + partition.stream().filter(r -> order.compare(r, row) < 0).count();
            case DENSE_RANK -> {
                long less = 1;
                for (int i = 1; i <= here; i++) {
                    less += order.compare(partition.get(i - 1), partition.get(i)) < 0 ? 1 : 0;
                }
                yield less;
            }
            case NEW_SINCE -> sinceNs;
            case LAG -> other(call, partition, at - call.offset(), row);
            case LEAD -> other(call, partition, at + call.offset(), row);
            default -> {
                long last = call.frame().toRows();
                while (call.frame().peers()
                        && here + last + 1 < partition.size()
                        && order.compare(partition.get((int) (here + last + 1)), row) == 0) {
                    last++;
                }
                List<Map<String, Object>> frame = new ArrayList<>();
                for (int i = 0; i < partition.size(); i++) {
                    boolean from =
                            call.frame().fromRows() == OverFrame.FIRST
                                    || i >= at + call.frame().fromRows();
                    boolean to = last == OverFrame.LAST || i <= at + last;
                    if (from && to) {
                        frame.add(partition.get(i));
                    }
                }
                yield aggregate(call, frame);
            }
        };
    }

    private static Object other(
            OverCall call, List<Map<String, Object>> partition, long at, Map<String, Object> row) {
        if (at >= 0 && at < partition.size()) {
            return partition.get((int) at).get(name(call, 0));
        }
        return call.arguments().size() > 2 ? row.get(name(call, 2)) : null;
    }

    private static String name(OverCall call, int argument) {
        return ((Expr.Variable) call.arguments().get(argument)).name();
    }

    private static Object aggregate(OverCall call, List<Map<String, Object>> frame) {
        if (call.arguments().isEmpty()) {
            return (long) frame.size();
        }
        List<Object> all = new ArrayList<>();
        frame.forEach(row -> all.add(row.get(name(call, 0))));
        List<Object> some = all.stream().filter(Objects::nonNull).toList();
        return switch (call.function()) {
            case FIRST_VALUE -> all.isEmpty() ? null : all.get(0);
            case LAST_VALUE -> all.isEmpty() ? null : all.get(all.size() - 1);
            case COUNT -> (long) some.size();
            case MIN -> some.isEmpty() ? null : extreme(some, -1);
            case MAX -> some.isEmpty() ? null : extreme(some, 1);
            case SUM -> some.isEmpty() ? null : sum(some);
            default -> some.isEmpty() ? null : mean(some);
        };
    }

    @SuppressWarnings("unchecked")
    private static Object extreme(List<Object> values, int sign) {
        Object best = values.get(0);
        for (Object value : values) {
            boolean real = value instanceof Double;
            if (real && Double.isNaN((Double) value)) {
                continue;
            }
            boolean replaces = real && Double.isNaN((Double) best);
            if (replaces || sign * ((Comparable<Object>) value).compareTo(best) > 0) {
                best = value;
            }
        }
        return best;
    }

    private static Object sum(List<Object> values) {
        if (values.get(0) instanceof Double) {
            double sum = 0;
            for (Object value : values) {
                sum += (Double) value;
            }
            return sum + 0.0;
        }
        BigInteger sum = whole(values);
        return sum.compareTo(MOST) > 0 || sum.compareTo(LEAST) < 0 ? null : sum.longValue();
    }

    private static BigInteger whole(List<Object> values) {
        BigInteger sum = BigInteger.ZERO;
        for (Object value : values) {
            sum = sum.add(BigInteger.valueOf((Long) value));
        }
        return sum;
    }

    private static Object mean(List<Object> values) {
        double sum =
                values.get(0) instanceof Double
                        ? (Double) sum(values)
                        : whole(values).doubleValue();
        return sum / values.size();
    }
}
