package io.weir.sql.catalog;

import io.weir.operators.graph.Expr.Variable;
import io.weir.operators.graph.Operator;
import io.weir.operators.graph.Query;
import java.util.List;
import java.util.Optional;

/**
 * Something that FROM can name.
 *
 * @param columns what a row of it has
 * @param time the column that holds a row's event time; a query's rows have one even where the
 *     query does not show it
 */
public record Stream(String name, Form form, List<Variable> columns, String time) {
    /** How rows of a stream come about. */
    public enum Form {
        /** A row for each packet. */
        PACKETS,
        /** A row for each 5-tuple and node: packets grouped. */
        FLOWS,
        /** The rows that a query emits. */
        ROWS
    }

    public Stream {
        columns = List.copyOf(columns);
    }

    public Optional<Variable> find(String column) {
        return columns.stream().filter(c -> c.name().equals(column)).findFirst();
    }

    /** The stream of a query's rows. */
    static Stream of(Query query) {
        return new Stream(query.name(), Form.ROWS, query.columns(), timeOf(query.root()));
    }

    /** The output column that shows the window's end or the scanned stream's time as it is. */
    private static String timeOf(Operator operator) {
        if (operator instanceof Operator.Sort sort) {
            return timeOf(sort.input());
        }
        Operator.Project project = (Operator.Project) operator;
        String time = timeBelow(project.input());
        return project.outputs().stream()
                .filter(o -> o.expr() instanceof Variable v && v.name().equals(time))
                .map(Operator.Named::name)
                .findFirst()
                .orElse(Operator.Aggregate.WINDOW_END);
    }

    private static String timeBelow(Operator operator) {
        if (operator instanceof Operator.Filter filter) {
            return timeBelow(filter.input());
        }
        return operator instanceof Operator.Scan scan ? scan.time() : Operator.Aggregate.WINDOW_END;
    }
}
