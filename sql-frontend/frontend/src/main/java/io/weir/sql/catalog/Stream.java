package io.weir.sql.catalog;

import io.weir.operators.graph.Combination;
import io.weir.operators.graph.Expr.Variable;
import io.weir.operators.graph.Operator;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.RowTime;
import io.weir.operators.graph.SessionFolds;
import io.weir.operators.graph.StreamType;
import io.weir.operators.graph.Window;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A stream that FROM can name.
 *
 * @param type of the stream that a plan scans for it: flows are made of packets
 * @param columns of its rows
 * @param times the columns with the row's time, the default first. A keyed table has none, nor has
 *     a query that does not show its rows' time
 * @param isTable whether it is a keyed table: a row for each group, which a newer one replaces
 * @param of the queries whose rows make it, if these are several
 */
public record Stream(
        String name,
        StreamType type,
        Form form,
        List<Variable> columns,
        List<TimeColumn> times,
        boolean isTable,
        Optional<Combination> of) {
    /** A source, or the rows of one query. */
    Stream(
            String name,
            StreamType type,
            Form form,
            List<Variable> columns,
            List<TimeColumn> times,
            boolean isTable) {
        this(name, type, form, columns, times, isTable, Optional.empty());
    }

    /** The way in which rows of a stream are made. */
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

    /** Returns the stream under the name that a statement gives it. */
    public Stream named(String other) {
        return new Stream(other, type, form, columns, times, isTable, of);
    }

    /** Returns the stream of totals that are read once, at the end of the input. */
    public Stream atEnd() {
        Combination alone = new Combination.Union(List.of(type.name()));
        Optional<Combination> once = of.or(() -> Optional.of(alone));
        return new Stream(name, type, form, columns, times, isTable, once);
    }

    public Optional<Variable> find(String column) {
        return columns.stream().filter(c -> c.name().equals(column)).findFirst();
    }

    /** Returns the time of rows if no column is named. */
    public TimeColumn time() {
        return times.isEmpty() ? TimeColumn.HIDDEN : times.get(0);
    }

    /** Returns the time in a column; empty if it has none. */
    public Optional<TimeColumn> time(String column) {
        return times.stream().filter(time -> time.name().equals(column)).findFirst();
    }

    /**
     * Makes the stream of a query's rows.
     *
     * @param streams those that it may read
     */
    static Stream of(Query query, Function<String, Optional<Stream>> streams) {
        return new Stream(
                query.name(),
                StreamType.ofQuery(query.name()),
                Form.ROWS,
                query.columns(),
                query.isTable() ? List.of() : times(query, streams),
                query.isTable());
    }

    /** Returns the output columns with unchanged times: ends of windows before starts. */
    private static List<TimeColumn> times(Query query, Function<String, Optional<Stream>> streams) {
        if (query.over().isEmpty() && query.aggregate().filter(Stream::hasSessions).isPresent()) {
            return sessionEnds(query);
        }
        List<TimeColumn> below = below(query, streams);
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

    private static boolean hasSessions(Operator.Aggregate aggregate) {
        return aggregate.window().filter(Window::isOfSessions).isPresent();
    }

    /** Sessions come in the order of their ends. Their starts can be of any time before. */
    private static List<TimeColumn> sessionEnds(Query query) {
        Operator.Aggregate sessions = query.aggregate().orElseThrow();
        return query.projection().outputs().stream()
                .filter(output -> SessionFolds.isEnd(sessions, output.expr()))
                .map(output -> new TimeColumn(output.name(), RowTime.WINDOW_END))
                .toList();
    }

    /** Returns the times of the rows below the projection. */
    private static List<TimeColumn> below(Query query, Function<String, Optional<Stream>> streams) {
        if (query.aggregate().filter(Stream::hasSessions).isPresent()) {
            return List.of();
        } else if (query.aggregate().isPresent()) {
            return List.of(
                    new TimeColumn(Operator.Aggregate.WINDOW_END, RowTime.WINDOW_END),
                    new TimeColumn(Operator.Aggregate.WINDOW_START, RowTime.WINDOW_START));
        } else if (query.scan().of().isEmpty()) {
            return streams.apply(query.scan().stream()).map(Stream::times).orElse(List.of());
        }
        TimeColumn time = new TimeColumn(query.scan().time(), query.scan().reads());
        return time.isShown() ? List.of(time) : List.of();
    }
}
