package io.weir.bench;

import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Expr.Variable;
import io.weir.operators.graph.Fold;
import io.weir.operators.graph.Folds;
import io.weir.operators.graph.Inet;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.Operator;
import io.weir.operators.graph.Operator.FoldCall;
import io.weir.operators.graph.Operator.Named;
import io.weir.operators.graph.Operator.Scan;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.Type;
import io.weir.operators.result.RowBatch;
import java.util.List;
import java.util.Optional;

/** The measured query: packets and bytes per source, totals over the whole input. */
public final class PerSource {
    public static final String SQL =
            "SELECT src_addr, COUNT(*) AS packets, SUM(bytes) AS bytes FROM packets"
                    + " GROUP BY src_addr";

    private static final int SRC_ADDR = 0;
    private static final int PACKETS = 1;
    private static final int BYTES = 2;

    private PerSource() {}

    /** As the planner has it. */
    public static Query query() {
        Variable source = Variable.column("src_addr", Type.INET);
        Variable bytes = Variable.column("bytes", Type.BIGINT);
        Operator scan = new Scan(Scan.PACKETS, List.of(source, bytes), "ts");
        Operator totals =
                new Operator.Aggregate(
                        scan,
                        Optional.empty(),
                        List.of(new Named("src_addr", source)),
                        List.of(
                                fold("packets", Folds.count(), List.of()),
                                fold("bytes", Folds.sumOfSome(Kind.BIGINT), List.of(bytes))));
        List<Named> outputs =
                totals.columns().subList(0, 3).stream()
                        .map(column -> new Named(column.name(), column))
                        .toList();
        Operator project = new Operator.Project(totals, outputs);
        return new Query("per_source", project, Optional.empty(), SQL);
    }

    private static FoldCall fold(String name, Fold fold, List<Expr> arguments) {
        return new FoldCall(name, fold, arguments, false, Optional.empty());
    }

    /**
     * Hashes result rows.
     *
     * @param passes over the same traffic that the rows are the totals of
     */
    public static void hash(RowBatch rows, long passes, ResultHash into) {
        for (int row = 0; row < rows.rows(); row++) {
            Inet source = (Inet) rows.value(row, SRC_ADDR);
            into.add(
                    source.family(),
                    source.high(),
                    source.low(),
                    rows.word(row, PACKETS) / passes,
                    rows.word(row, BYTES) / passes);
        }
    }
}
