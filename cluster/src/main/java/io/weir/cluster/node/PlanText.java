package io.weir.cluster.node;

import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Operator;
import io.weir.operators.graph.Operator.Aggregate;
import io.weir.operators.graph.Operator.FoldCall;
import io.weir.operators.graph.Operator.Named;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.When;
import io.weir.operators.graph.Window;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** An operator graph as lines of text, outermost operator first: EXPLAIN. */
final class PlanText {
    private final List<String> lines = new ArrayList<>();

    private PlanText() {}

    static List<String> of(Query query) {
        PlanText text = new PlanText();
        text.add(query.root(), 0);
        query.when().ifPresent(text::add);
        query.budget().ifPresent(budget -> text.lines.add("with " + budget));
        return text.lines;
    }

    /** Whether a key or condition of the query is about this column. */
    static boolean mentions(Query query, String column) {
        return of(query).stream()
                .filter(line -> !line.strip().startsWith("scan "))
                .anyMatch(line -> line.matches(".*\\b" + column + "\\b.*"));
    }

    private void add(Operator operator, int depth) {
        lines.add("  ".repeat(depth) + describe(operator));
        if (operator instanceof Operator.Sort sort) {
            add(sort.input(), depth + 1);
        } else if (operator instanceof Operator.Project project) {
            add(project.input(), depth + 1);
        } else if (operator instanceof Operator.Filter filter) {
            add(filter.input(), depth + 1);
        } else if (operator instanceof Aggregate aggregate) {
            add(aggregate.input(), depth + 1);
        }
    }

    private static String describe(Operator operator) {
        if (operator instanceof Operator.Scan scan) {
            return "scan " + scan.stream() + " by " + scan.time();
        } else if (operator instanceof Operator.Filter filter) {
            return "filter " + ExprText.of(filter.condition());
        } else if (operator instanceof Operator.Project project) {
            return "project " + named(project.outputs());
        } else if (operator instanceof Aggregate aggregate) {
            return aggregate(aggregate);
        }
        return sort((Operator.Sort) operator);
    }

    private static String aggregate(Aggregate aggregate) {
        StringBuilder text = new StringBuilder("aggregate");
        if (!aggregate.keys().isEmpty()) {
            text.append(" by ").append(named(aggregate.keys()));
        }
        aggregate.window().ifPresent(window -> text.append(' ').append(window(window)));
        for (FoldCall call : aggregate.folds()) {
            text.append(" | ").append(call.name()).append(" = ").append(fold(call));
        }
        return text.toString();
    }

    private static String window(Window window) {
        String size = Duration.ofNanos(window.sizeNs()).toString();
        return window.sizeNs() == window.slideNs()
                ? "tumbling " + size
                : "hopping " + size + " every " + Duration.ofNanos(window.slideNs());
    }

    private static String fold(FoldCall call) {
        String arguments =
                call.arguments().stream().map(ExprText::of).collect(Collectors.joining(", "));
        String filter = call.filter().map(f -> " where " + ExprText.of(f)).orElse("");
        String distinct = call.distinct() ? "distinct " : "";
        return call.fold().name() + "(" + distinct + arguments + ")" + filter;
    }

    private static String sort(Operator.Sort sort) {
        String orders =
                sort.orders().stream()
                        .map(o -> o.column() + (o.descending() ? " desc" : ""))
                        .collect(Collectors.joining(", "));
        return "sort"
                + (orders.isEmpty() ? "" : " by " + orders)
                + sort.limit().map(limit -> " limit " + limit).orElse("")
                + (sort.offset() > 0 ? " offset " + sort.offset() : "");
    }

    private static String named(List<Named> outputs) {
        return outputs.stream().map(PlanText::named).collect(Collectors.joining(", "));
    }

    private static String named(Named output) {
        String text = ExprText.of(output.expr());
        return text.equals(output.name()) ? text : output.name() + " = " + text;
    }

    private void add(When when) {
        StringBuilder text = new StringBuilder("when a row of ");
        text.append(when.upstream()).append(" has ").append(ExprText.of(when.condition()));
        when.until().ifPresent(until -> text.append(" until ").append(ExprText.of(until)));
        when.forNs().ifPresent(ns -> text.append(" for ").append(Duration.ofNanos(ns)));
        lines.add(text.toString());
    }

    /** Expressions as text. */
    static final class ExprText {
        private ExprText() {}

        static String of(Expr expr) {
            if (expr instanceof Expr.Variable variable) {
                return variable.name();
            } else if (expr instanceof Expr.Literal literal) {
                return literal.value() instanceof String text
                        ? "'" + text + "'"
                        : String.valueOf(literal.value());
            }
            Expr.Call call = (Expr.Call) expr;
            String name = call.function().name();
            List<String> arguments = call.arguments().stream().map(ExprText::of).toList();
            boolean infix = arguments.size() > 1 && !name.matches("\\w+") || name.matches("AND|OR");
            return infix
                    ? "(" + String.join(" " + name + " ", arguments) + ")"
                    : name + "(" + String.join(", ", arguments) + ")";
        }
    }
}
