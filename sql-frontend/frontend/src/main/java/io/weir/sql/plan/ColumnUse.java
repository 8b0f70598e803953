package io.weir.sql.plan;

import io.weir.operators.graph.Combination;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Expr.Variable;
import io.weir.operators.graph.Operator;
import io.weir.operators.graph.Operator.FoldCall;
import io.weir.operators.graph.Operator.Named;
import io.weir.sql.catalog.Stream;
import io.weir.sql.catalog.Streams;
import io.weir.sql.catalog.TimeColumn;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Collects the columns of a stream that a query needs. A scan lists only these, because layouts may
 * lack others.
 */
final class ColumnUse {
    private final Set<String> names = new HashSet<>();

    void add(Expr expr) {
        if (expr instanceof Variable variable) {
            names.add(variable.name());
        } else if (expr instanceof Expr.Call call) {
            call.arguments().forEach(this::add);
        }
    }

    void addKeys(List<Named> keys) {
        keys.forEach(key -> add(key.expr()));
    }

    void addFolds(List<FoldCall> folds) {
        for (FoldCall fold : folds) {
            fold.arguments().forEach(this::add);
            fold.filter().ifPresent(this::add);
        }
    }

    /** Returns a scan of the columns seen, in the stream's order, by its time. */
    Operator.Scan scan(Stream stream) {
        return scan(stream, stream.time());
    }

    /** Returns the scan by the times of a column. */
    Operator.Scan scan(Stream stream, TimeColumn time) {
        boolean ofQuery = stream.type().isOfQuery();
        Stream columns = ofQuery ? stream : Streams.packets();
        List<Variable> used = new ArrayList<>();
        columns.columns().stream().filter(c -> names.contains(c.name())).forEach(used::add);
        stream.of()
                .filter(Combination.Join.class::isInstance)
                .flatMap(join -> ((Combination.Join) join).residual())
                .ifPresent(condition -> addMissing(condition, used));
        boolean isTable = ofQuery && stream.isTable();
        return new Operator.Scan(
                stream.type(), used, time.name(), time.reads(), isTable, stream.of());
    }

    /** A join tests its condition over columns that nobody else may use. */
    private static void addMissing(Expr expr, List<Variable> used) {
        if (expr instanceof Variable variable) {
            if (used.stream().noneMatch(c -> c.name().equals(variable.name()))) {
                used.add(variable);
            }
        } else if (expr instanceof Expr.Call call) {
            call.arguments().forEach(argument -> addMissing(argument, used));
        }
    }
}
