package io.weir.operators.node;

import static io.weir.operators.graph.Functions.call;

import io.weir.operators.gpv.PacketColumns;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Expr.Literal;
import io.weir.operators.graph.Expr.Variable;
import io.weir.operators.graph.Fold;
import io.weir.operators.graph.Folds;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.Operator;
import io.weir.operators.graph.Operator.Named;
import io.weir.operators.graph.PartitionKey;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.RowTime;
import io.weir.operators.graph.StreamType;
import io.weir.operators.graph.When;
import io.weir.operators.graph.Window;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Operator graphs of the engine's tests: key, COUNT(*) as n, SUM(bytes) as total. */
final class Graphs {
    static final long SECOND_NS = 1_000_000_000L;

    private Graphs() {}

    static Operator.Scan packets() {
        List<Variable> columns =
                PacketColumns.all().stream().map(PacketColumns.PacketColumn::variable).toList();
        return new Operator.Scan(StreamType.PACKETS, columns, "ts");
    }

    /** SELECT key…, COUNT(*) AS n, SUM(bytes) AS total, window_end FROM packets GROUP BY key… */
    static Query counts(String name, Optional<Window> window, When when, String... keys) {
        return counts(name, packets(), "bytes", window, when, keys);
    }

    static Query counts(
            String name,
            Operator.Scan scan,
            String summed,
            Optional<Window> window,
            When when,
            String... keys) {
        List<Named> keyColumns = new ArrayList<>();
        for (String key : keys) {
            keyColumns.add(new Named(key, column(scan.columns(), key)));
        }
        Expr bytes = column(scan.columns(), summed);
        Fold sum = Folds.sum(Kind.BIGINT);
        Operator.Aggregate aggregate =
                new Operator.Aggregate(
                        scan,
                        window,
                        keyColumns,
                        List.of(
                                fold("n", Folds.count(), List.of()),
                                fold("total", sum, List.of(bytes))),
                        wholeBy(keys));
        List<Named> outputs = new ArrayList<>();
        for (Variable column : aggregate.columns()) {
            if (!Operator.Row.COLUMNS.contains(column)) {
                outputs.add(new Named(column.name(), column));
            }
        }
        outputs.add(new Named("active_from", Operator.Row.ACTIVE_FROM));
        return new Query(
                name, new Operator.Project(aggregate, outputs), Optional.ofNullable(when), "");
    }

    /** As the planner has it. */
    private static Set<PartitionKey> wholeBy(String... keys) {
        boolean whole = List.of(keys).containsAll(PartitionKey.ADDRESSES.columns());
        return whole ? Set.of(PartitionKey.ADDRESSES) : Set.of();
    }

    private static Operator.FoldCall fold(String name, Fold fold, List<Expr> arguments) {
        return new Operator.FoldCall(name, fold, arguments, false, Optional.empty());
    }

    /** The first rows of each window of such a query, by n downwards. */
    static Query top(Query query, int rows) {
        Operator.Order byCount = new Operator.Order("n", true, false);
        Operator root =
                new Operator.Sort(query.root(), List.of(byCount), Optional.of((long) rows), 0);
        return new Query(query.name(), root, query.when(), query.sql());
    }

    /** Scans another query's rows. */
    static Operator.Scan rowsOf(Query query) {
        return new Operator.Scan(
                StreamType.ofQuery(query.name()),
                query.columns(),
                "window_end",
                RowTime.WINDOW_END,
                query.isTable());
    }

    static Optional<Window> tumble(double seconds) {
        return Optional.of(Window.tumble((long) (seconds * SECOND_NS)));
    }

    static Optional<Window> hop(double size, double slide) {
        return Optional.of(new Window((long) (size * SECOND_NS), (long) (slide * SECOND_NS)));
    }

    /** WHEN upstream.n > high [UNTIL upstream.n < low] [FOR seconds]. */
    static When when(Query upstream, long high, Long low, Double forSeconds) {
        Expr n = column(upstream.columns(), "n");
        return new When(
                upstream.name(),
                call(">", n, Literal.of(high)),
                Optional.ofNullable(low).map(l -> call("<", n, Literal.of(l))),
                Optional.ofNullable(forSeconds).map(s -> (long) (s * SECOND_NS)));
    }

    static Variable column(List<Variable> columns, String name) {
        return columns.stream().filter(c -> c.name().equals(name)).findFirst().orElseThrow();
    }
}
