package io.weir.cluster.sink;

import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.Operator;
import io.weir.operators.graph.Operator.Aggregate;
import io.weir.operators.graph.Operator.FoldCall;
import io.weir.operators.graph.Query;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The role of a column in systems that know only labels and values. */
public enum ColumnRole {
    /** Identifies the values: a group key, or any column that is no number. */
    LABEL,
    /** Adds up over windows: COUNT, and SUM of a column of packets, since none is below zero. */
    COUNTER,
    /** A number that holds for its window only. */
    GAUGE,
    /** The window's times. A system with its own clock does not need them. */
    TIME;

    private static final Set<String> TIMES =
            Set.of(Aggregate.WINDOW_START, Aggregate.WINDOW_END, Operator.Row.ACTIVE_FROM.name());

    /** Returns one role for each column of the query. */
    public static List<ColumnRole> of(Query query) {
        Optional<Operator.Project> project = project(query);
        return query.columns().stream()
                .map(
                        column -> {
                            Expr expr = project.map(p -> source(p, column.name())).orElse(column);
                            return role(query, expr, column.type().kind());
                        })
                .toList();
    }

    private static Optional<Operator.Project> project(Query query) {
        Operator root = query.root() instanceof Operator.Sort s ? s.input() : query.root();
        return root instanceof Operator.Project p ? Optional.of(p) : Optional.empty();
    }

    private static Expr source(Operator.Project project, String column) {
        return project.outputs().stream()
                .filter(output -> output.name().equals(column))
                .findFirst()
                .orElseThrow()
                .expr();
    }

    private static ColumnRole role(Query query, Expr expr, Kind kind) {
        if (expr instanceof Expr.Variable variable) {
            if (TIMES.contains(variable.name())) {
                return TIME;
            }
            Optional<Aggregate> aggregate = query.aggregate();
            if (aggregate.isPresent() && isKey(aggregate.get(), variable)) {
                return LABEL;
            }
            if (aggregate.flatMap(a -> fold(a, variable)).filter(ColumnRole::addsUp).isPresent()) {
                return COUNTER;
            }
        }
        return switch (kind) {
            case BIGINT, DOUBLE, INTERVAL -> GAUGE;
            case TIMESTAMP -> TIME;
            case BOOLEAN, INET, MACADDR, VARCHAR -> LABEL;
        };
    }

    private static boolean isKey(Aggregate aggregate, Expr.Variable variable) {
        return aggregate.keys().stream().anyMatch(key -> key.name().equals(variable.name()));
    }

    private static Optional<FoldCall> fold(Aggregate aggregate, Expr.Variable variable) {
        return aggregate.folds().stream()
                .filter(fold -> fold.name().equals(variable.name()))
                .findFirst();
    }

    private static boolean addsUp(FoldCall call) {
        return switch (call.fold().name()) {
            case "COUNT" -> !call.distinct();
            case "SUM" -> call.arguments().get(0) instanceof Expr.Variable;
            default -> false;
        };
    }
}
