package io.weir.sql.plan;

import io.weir.operators.graph.Budget;
import io.weir.operators.graph.Combination;
import io.weir.operators.graph.Correlation;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Operator;
import io.weir.operators.graph.Operator.FoldCall;
import io.weir.operators.graph.Operator.Named;
import io.weir.operators.graph.PartitionKey;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.When;
import io.weir.operators.graph.Window;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Prints a query's operators as indented text, last first, for EXPLAIN and golden plans. */
public final class PlanText {
    private final StringBuilder text = new StringBuilder();

    private PlanText() {}

    /** Returns the plan with a note on partitions and nodes. */
    public static String explain(Query query) {
        PlanText plan = new PlanText();
        for (Query one : fromLast(query)) {
            plan.query(one);
            plan.merge(one);
        }
        return plan.text.toString();
    }

    /** Returns the operators alone. */
    public static String of(Query query) {
        PlanText plan = new PlanText();
        fromLast(query).forEach(plan::query);
        return plan.text.toString();
    }

    /** Returns the query and then its sub-queries, each before those that it reads. */
    private static List<Query> fromLast(Query query) {
        List<Query> all = new ArrayList<>(query.all());
        Collections.reverse(all);
        return all;
    }

    private void query(Query query) {
        line(0, "query " + query.name());
        query.when().ifPresent(this::when);
        query.budget().ifPresent(budget -> line(1, "with " + budget + rank(budget)));
        operator(1, query.root());
    }

    private static String rank(Budget budget) {
        return budget.rank().map(rank -> " by" + fold(rank).substring(" =".length())).orElse("");
    }

    private void when(When when) {
        String end =
                when.until()
                        .map(until -> " until " + ExprText.of(until))
                        .or(() -> when.forNs().map(ns -> " for " + ExprText.duration(ns)))
                        .orElse("");
        line(
                1,
                "when "
                        + String.join(", ", when.upstreams())
                        + ": "
                        + ExprText.of(when.condition())
                        + end);
        String owner = when.isJoint() ? "" : when.upstreams().get(0) + ".";
        when.correlation().ifPresent(used -> bindings(owner, used));
    }

    private void bindings(String owner, Correlation used) {
        String key =
                used.equations().stream()
                        .map(e -> owner + columns(e) + " = " + ExprText.of(e.value()))
                        .collect(Collectors.joining(", "));
        String idle =
                used.idleNs() == 0 ? "" : ", each idle for " + ExprText.duration(used.idleNs());
        line(1, "bindings by " + key + ": at most " + used.most() + idle);
    }

    private static String columns(Correlation.Equation equation) {
        String others =
                equation.others().stream()
                        .map(other -> " = " + other.name())
                        .collect(Collectors.joining());
        return equation.column().name() + others;
    }

    private void operator(int depth, Operator operator) {
        if (operator instanceof Operator.Sort sort) {
            line(depth, "Sort " + sort(sort));
            operator(depth + 1, sort.input());
        } else if (operator instanceof Operator.Project project) {
            line(depth, "Project " + named(project.outputs()));
            operator(depth + 1, project.input());
        } else if (operator instanceof Operator.Filter filter) {
            line(depth, "Filter " + ExprText.of(filter.condition()));
            operator(depth + 1, filter.input());
        } else if (operator instanceof Operator.Aggregate aggregate) {
            line(depth, "Aggregate " + aggregate(aggregate));
            operator(depth + 1, aggregate.input());
        } else if (operator instanceof Operator.Over over) {
            line(depth, "Over " + OverText.of(over));
            operator(depth + 1, over.input());
        } else {
            Operator.Scan scan = (Operator.Scan) operator;
            String columns =
                    scan.columns().stream()
                            .map(Expr.Variable::name)
                            .collect(Collectors.joining(", "));
            String by = scan.time().isEmpty() ? "" : " by " + scan.time();
            boolean alone = scan.combinesTables() && scan.queries().size() == 1;
            String table = scan.isTable() ? ", a table," + (alone ? " at the end," : "") : "";
            String what = scan.join().map(j -> join(j)).orElse(scan.stream());
            line(depth, "Scan " + union(scan) + what + table + by + " [" + columns + "]");
        }
    }

    private static String union(Operator.Scan scan) {
        boolean several = scan.queries().size() > 1 && scan.join().isEmpty();
        return several ? "union of " : "";
    }

    private static String join(Combination.Join join) {
        List<String> conditions = new ArrayList<>();
        if (join.left().sizeNs() > 0) {
            conditions.add("windows");
        }
        for (Combination.Equation key : join.equations()) {
            conditions.add(
                    join.left().prefix()
                            + key.left()
                            + " = "
                            + join.right().prefix()
                            + key.right());
        }
        join.residual().ifPresent(condition -> conditions.add(ExprText.of(condition)));
        String kind = join.kind().name().toLowerCase(Locale.ROOT) + " join of ";
        String on = conditions.isEmpty() ? "" : " on " + String.join(" and ", conditions);
        return kind + join.left().query() + " and " + join.right().query() + on;
    }

    private static String sort(Operator.Sort sort) {
        List<String> parts = new ArrayList<>();
        if (!sort.orders().isEmpty()) {
            parts.add(
                    "by "
                            + sort.orders().stream()
                                    .map(ExprText::order)
                                    .collect(Collectors.joining(", ")));
        }
        sort.limit().ifPresent(limit -> parts.add("limit " + limit));
        if (sort.offset() > 0) {
            parts.add("offset " + sort.offset());
        }
        return String.join("; ", parts);
    }

    private static String named(List<Named> outputs) {
        return outputs.stream().map(PlanText::named).collect(Collectors.joining(", "));
    }

    private static String named(Named output) {
        String expr = ExprText.of(output.expr());
        return expr.equals(output.name()) ? expr : output.name() + " = " + expr;
    }

    private static String aggregate(Operator.Aggregate aggregate) {
        List<String> parts = new ArrayList<>();
        aggregate.window().ifPresent(window -> parts.add(window(window)));
        if (!aggregate.keys().isEmpty()) {
            parts.add("by " + named(aggregate.keys()));
        }
        for (FoldCall fold : aggregate.folds()) {
            parts.add(fold(fold));
        }
        return String.join("; ", parts);
    }

    private static String window(Window window) {
        String size = ExprText.duration(window.sizeNs());
        String from = window.offsetNs() == 0 ? "" : " from " + ExprText.duration(window.offsetNs());
        from +=
                switch (window.rows().form()) {
                    case ALL -> ", empty ones too";
                    case KEPT -> ", empty ones for " + window.rows().windows() + " windows";
                    default -> "";
                };
        if (window.isOfSessions()) {
            return "sessions with a gap of " + size;
        }
        return window.sizeNs() == window.slideNs()
                ? "tumble " + size + from
                : "hop " + size + " every " + ExprText.duration(window.slideNs()) + from;
    }

    private static String fold(FoldCall call) {
        String arguments =
                call.arguments().isEmpty()
                        ? "*"
                        : call.arguments().stream()
                                .map(ExprText::of)
                                .collect(Collectors.joining(", "));
        String filter = call.filter().map(f -> " where " + ExprText.of(f)).orElse("");
        String distinct = call.distinct() ? "DISTINCT " : "";
        return call.name() + " = " + call.fold().name() + "(" + distinct + arguments + ")" + filter;
    }

    private void merge(Query query) {
        String key = "(" + PartitionKey.ADDRESSES + ")";
        if (!query.reads().isSpread()) {
            line(0, "merge: none, rows of " + query.scan().stream() + " come in one piece");
        } else if (query.aggregate().isEmpty()) {
            line(0, "merge: none, each packet is a row of its own");
        } else if (query.isSplitBy(PartitionKey.ADDRESSES)) {
            line(0, "merge: by group, since " + key + " are not all group columns");
        } else {
            line(0, "merge: none, a group lies in one partition of " + key);
        }
        if (NodeRule.addsUp(query)) {
            line(
                    0,
                    "note: nodes are added up; a packet seen at two nodes counts twice"
                            + " (group by node_id, or pin it in WHERE)");
        }
    }

    private void line(int depth, String line) {
        text.append("  ".repeat(depth)).append(line.stripTrailing()).append('\n');
    }
}
