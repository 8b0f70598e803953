package io.weir.sql.catalog;

import io.weir.operators.graph.Expr.Variable;
import io.weir.operators.graph.Operator;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.RowTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Something that FROM can name.
 *
 * @param columns what a row of it has
 * @param times those of them that tell a row's time, the first one where nothing else is said; none
 *     of a keyed table, and where a query does not show the time that its rows have
 * @param isTable whether it is a keyed table: a row for each group, which a newer one replaces
 */
public record Stream(
        String name, Form form, List<Variable> columns, List<TimeColumn> times, boolean isTable) {
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
        times = List.copyOf(times);
    }

    public Optional<Variable> find(String column) {
        return columns.stream().filter(c -> c.name().equals(column)).findFirst();
    }

    /** What tells the time of rows where no column is named. */
    public TimeColumn time() {
        return times.isEmpty() ? TimeColumn.HIDDEN : times.get(0);
    }

    /** The time that a column tells; empty where it tells none. */
    public Optional<TimeColumn> time(String column) {
        return times.stream().filter(time -> time.name().equals(column)).findFirst();
    }

    /**
     * The stream of a query's rows.
     *
     * @param streams what it may read
     */
    static Stream of(Query query, Function<String, Optional<Stream>> streams) {
        return new Stream(
                query.name(),
                Form.ROWS,
                query.columns(),
                query.isTable() ? List.of() : times(query, streams),
                query.isTable());
    }

    /** The output columns that show times as they are: ends of windows before starts. */
    private static List<TimeColumn> times(Query query, Function<String, Optional<Stream>> streams) {
        List<TimeColumn> below =
                query.aggregate().isPresent()
                        ? List.of(
                                new TimeColumn(Operator.Aggregate.WINDOW_END, RowTime.WINDOW_END),
                                new TimeColumn(
                                        Operator.Aggregate.WINDOW_START, RowTime.WINDOW_START))
                        : streams.apply(query.scan().stream()).map(Stream::times).orElse(List.of());
        List<TimeColumn> shown = new ArrayList<>();
        for (TimeColumn time : below) {
            for (Operator.Named output : query.projection().outputs()) {
                if (output.expr() instanceof Variable v && v.name().equals(time.name())) {
                    shown.add(new TimeColumn(output.name(), time.reads()));
                }
            }
        }
        return shown;
    }
}
