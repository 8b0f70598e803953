package io.weir.operators.kernel;

import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.gpv.PacketColumns;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Fold;
import io.weir.operators.graph.Folds;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.Operator;
import io.weir.operators.graph.Operator.Aggregate;
import io.weir.operators.graph.Operator.Filter;
import io.weir.operators.graph.Operator.FoldCall;
import io.weir.operators.graph.Operator.Named;
import io.weir.operators.graph.Operator.Project;
import io.weir.operators.graph.Operator.Scan;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.StreamType;
import io.weir.operators.graph.Window;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Small queries for tests, put together by hand. */
final class TestQueries {
    private TestQueries() {}

    static Expr column(String name) {
        return PacketColumns.find(name).orElseThrow().variable();
    }

    static Scan packets(GpvLayout layout) {
        return new Scan(StreamType.PACKETS, RandomPackets.columns(layout), "ts");
    }

    static FoldCall count(String name) {
        return new FoldCall(name, Folds.count(), List.of(), false, Optional.empty());
    }

    static FoldCall call(String name, Fold fold, Expr... arguments) {
        return new FoldCall(name, fold, List.of(arguments), false, Optional.empty());
    }

    static FoldCall distinct(String name, Expr... arguments) {
        List<Kind> kinds = new ArrayList<>();
        for (Expr argument : arguments) {
            kinds.add(argument.type().kind());
        }
        Fold count = Folds.count(kinds.toArray(Kind[]::new));
        return new FoldCall(name, count, List.of(arguments), true, Optional.empty());
    }

    /** SELECT keys, folds FROM packets WHERE … GROUP BY keys, window. */
    static Query groups(
            GpvLayout layout,
            Optional<Expr> where,
            Optional<Window> window,
            List<String> keys,
            FoldCall... folds) {
        Operator input = packets(layout);
        if (where.isPresent()) {
            input = new Filter(input, where.get());
        }
        List<Named> keyColumns = keys.stream().map(k -> new Named(k, column(k))).toList();
        Aggregate aggregate = new Aggregate(input, window, keyColumns, List.of(folds), Set.of());
        List<Named> outputs = new ArrayList<>(keyColumns);
        for (FoldCall fold : folds) {
            outputs.add(new Named(fold.name(), fold.column()));
        }
        return new Query("q", new Project(aggregate, outputs), Optional.empty(), "");
    }
}
