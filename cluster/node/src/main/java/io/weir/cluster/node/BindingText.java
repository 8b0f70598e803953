package io.weir.cluster.node;

import io.weir.operators.graph.Correlation;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.When;
import io.weir.operators.rows.RowBatch;
import java.util.stream.Collectors;

/** Names a binding for people. */
public final class BindingText {
    private BindingText() {}

    /** Returns the key that an upstream's row wakes; empty if the query takes no values. */
    public static String of(Query query, RowBatch batch, int row) {
        return query.when()
                .flatMap(When::correlation)
                .map(correlation -> of(correlation, batch, row))
                .orElse("");
    }

    private static String of(Correlation correlation, RowBatch batch, int row) {
        return correlation.equations().stream()
                .map(equation -> equation.column().name())
                .map(name -> name + " = " + batch.value(row, batch.layout().indexOf(name)))
                .collect(Collectors.joining(", "));
    }
}
