package io.weir.cluster.security;

import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Operator;
import io.weir.operators.graph.Operator.Aggregate;
import io.weir.operators.graph.Operator.OverCall;
import io.weir.operators.graph.Query;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Decides whether a query's rows are single packets, or equivalent to them. It does not aggregate,
 * or its group keys identify a packet, under any name that other queries gave them. It does not
 * detect a group that happens to have only one packet.
 */
public final class Evidence {
    private static final Set<String> ISOLATING = Set.of("ts", "tcp_seq", "tcp_ack", "ip_id");

    /** The time of a shorter window identifies a packet as well as the packet's own time. */
    private static final long ISOLATING_NS = 1_000_000;

    private Evidence() {}

    /**
     * @param queries by name, those that it may read
     */
    public static boolean isIn(Query query, Function<String, Optional<Query>> queries) {
        return isolating(query, queries).isPresent();
    }

    /** Returns its columns that identify a packet; empty if its rows are not single packets. */
    private static Optional<Set<String>> isolating(
            Query query, Function<String, Optional<Query>> queries) {
        Optional<Set<String>> read = Optional.of(ISOLATING);
        if (query.scan().of().isPresent()) {
            read = ofSeveral(query.scan(), queries);
        } else if (query.reads().isOfQuery()) {
            Optional<Query> upstream = queries.apply(query.scan().stream());
            if (upstream.isEmpty()) {
                return Optional.of(names(query.columns()));
            }
            read = isolating(upstream.get(), queries).map(in -> and(in, query.scan().time()));
        }
        return read.flatMap(in -> through(query, in));
    }

    /** The rows show packets if those of one query do. */
    private static Optional<Set<String>> ofSeveral(
            Operator.Scan scan, Function<String, Optional<Query>> queries) {
        boolean any =
                scan.queries().stream()
                        .anyMatch(
                                name ->
                                        queries.apply(name)
                                                .filter(q -> isIn(q, queries))
                                                .isPresent());
        return any ? Optional.of(names(scan.columns())) : Optional.empty();
    }

    /** Returns those columns that remain in the rows of a query over single packets. */
    private static Optional<Set<String>> through(Query query, Set<String> in) {
        Optional<Aggregate> aggregate = query.aggregate();
        if (aggregate.isPresent() && !isolates(aggregate.get(), in)) {
            return Optional.empty();
        }
        Set<String> made = aggregate.map(groups -> ofGroups(groups, in)).orElse(in);
        Set<String> here = query.over().map(over -> ofOver(over, made)).orElse(made);
        Set<String> out = new HashSet<>();
        outputs(query).stream()
                .filter(output -> mentions(output.expr(), here))
                .forEach(output -> out.add(output.name()));
        return Optional.of(out);
    }

    private static boolean isolates(Aggregate groups, Set<String> in) {
        return groups.window().filter(window -> window.paneNs() < ISOLATING_NS).isPresent()
                || groups.keys().stream().anyMatch(key -> mentions(key.expr(), in));
    }

    /** In a group of one packet, each fold shows that packet too. */
    private static Set<String> ofGroups(Aggregate groups, Set<String> in) {
        Set<String> names = new HashSet<>();
        groups.window().ifPresent(window -> names.addAll(windowColumns()));
        for (Operator.Named key : groups.keys()) {
            if (mentions(key.expr(), in)) {
                names.add(key.name());
            }
        }
        for (Operator.FoldCall fold : groups.folds()) {
            if (fold.arguments().stream().anyMatch(argument -> mentions(argument, in))) {
                names.add(fold.name());
            }
        }
        return names;
    }

    /** A function of several rows shows the values that it is given. */
    private static Set<String> ofOver(Operator.Over over, Set<String> in) {
        Set<String> names = new HashSet<>();
        ((Operator.Project) over.input())
                .outputs().stream()
                        .filter(output -> mentions(output.expr(), in))
                        .forEach(output -> names.add(output.name()));
        for (OverCall call : over.calls()) {
            if (call.arguments().stream().anyMatch(argument -> mentions(argument, names))) {
                names.add(call.name());
            }
        }
        return names;
    }

    private static List<String> windowColumns() {
        return List.of(Aggregate.WINDOW_START, Aggregate.WINDOW_END);
    }

    private static List<Operator.Named> outputs(Query query) {
        Operator operator = query.root();
        while (operator instanceof Operator.Sort sort) {
            operator = sort.input();
        }
        return ((Operator.Project) operator).outputs();
    }

    private static boolean mentions(Expr expr, Set<String> names) {
        if (expr instanceof Expr.Variable variable) {
            return names.contains(variable.name());
        }
        return expr instanceof Expr.Call call
                && call.arguments().stream().anyMatch(argument -> mentions(argument, names));
    }

    private static Set<String> and(Set<String> names, String name) {
        Set<String> all = new HashSet<>(names);
        all.add(name);
        return all;
    }

    private static Set<String> names(List<Expr.Variable> columns) {
        Set<String> names = new HashSet<>();
        columns.forEach(column -> names.add(column.name()));
        return names;
    }
}
