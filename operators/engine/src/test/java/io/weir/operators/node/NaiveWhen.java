package io.weir.operators.node;

import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.When;
import io.weir.operators.interpret.Interpreter;
import java.util.ArrayList;
import java.util.List;

/**
 * When a query counts, told from all rows of its upstream: the oracle for triggers. Knows the
 * tests' conditions only, {@code n > high} and {@code n < low}, by their column's place.
 */
final class NaiveWhen {
    record Span(long fromNs, long untilNs) {}

    /** A row that is tested: whether it meets the condition, and UNTIL. */
    record Tested(long actsAtNs, boolean meets, boolean ends) {}

    private record Row(long actsAtNs, long n) {}

    private final List<Row> rows = new ArrayList<>();

    NaiveWhen(long delayNs, List<Interpreter.Output> upstream) {
        for (Interpreter.Output window : upstream) {
            for (List<Object> row : window.rows()) {
                long n = (Long) row.get(row.size() - 5);
                rows.add(new Row(window.windowEndNs() + delayNs, n));
            }
        }
    }

    List<Span> activations(Query query) {
        When when = query.when().orElseThrow();
        List<Tested> tested = new ArrayList<>();
        for (Row row : rows) {
            boolean ends = when.until().filter(until -> row.n() < literal(until)).isPresent();
            tested.add(new Tested(row.actsAtNs(), row.n() > literal(when.condition()), ends));
        }
        return activations(when, tested);
    }

    /** Returns when a query counts. */
    static List<Span> activations(When when, List<Tested> rows) {
        List<Span> spans = new ArrayList<>();
        int i = 0;
        while (i < rows.size()) {
            Tested row = rows.get(i++);
            if (!row.meets()) {
                continue;
            }
            long until = Long.MAX_VALUE;
            if (when.until().isPresent()) {
                while (i < rows.size() && !rows.get(i).ends()) {
                    i++;
                }
                until = i < rows.size() ? rows.get(i++).actsAtNs() : until;
            } else if (when.forNs().isPresent()) {
                until = row.actsAtNs() + when.forNs().get();
                while (i < rows.size() && rows.get(i).actsAtNs() <= until) {
                    Tested next = rows.get(i++);
                    until = next.meets() ? next.actsAtNs() + when.forNs().get() : until;
                }
            } else {
                i = rows.size();
            }
            if (until > row.actsAtNs()) {
                spans.add(new Span(row.actsAtNs(), until));
            }
        }
        return spans;
    }

    private static long literal(Expr condition) {
        var call = (Expr.Call) condition;
        return (Long) ((Expr.Literal) call.arguments().get(1)).value();
    }
}
