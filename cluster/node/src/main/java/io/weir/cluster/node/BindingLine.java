package io.weir.cluster.node;

import io.weir.cluster.sink.TimeText;
import io.weir.operators.graph.Correlation;
import io.weir.operators.graph.Expr.Variable;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.When;
import io.weir.operators.when.ActiveBinding;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Makes the rows of SHOW BINDINGS. Stateless. */
public final class BindingLine {
    public static final List<String> HEADINGS =
            List.of("query", "key", "values", "since", "expires", "rows");
    public static final Set<String> NUMBERS = Set.of("rows");

    private BindingLine() {}

    /** Returns the row of a binding of this query. */
    public static List<String> of(Query query, ActiveBinding binding) {
        Correlation used = query.when().flatMap(When::correlation).orElseThrow();
        List<Variable> key = used.equations().stream().map(Correlation.Equation::column).toList();
        boolean ends = binding.untilNs() < Long.MAX_VALUE;
        boolean counted = query.aggregate().isPresent() && binding.rows() >= 0;
        return List.of(
                binding.query(),
                text(key, binding.key()),
                text(used.values(), binding.values()),
                TimeText.of(binding.fromNs()),
                ends ? TimeText.of(binding.untilNs()) : "",
                counted ? String.valueOf(binding.rows()) : "");
    }

    private static String text(List<Variable> columns, List<Object> values) {
        List<String> parts = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            Object value = values.get(i) == null ? "NULL" : values.get(i);
            parts.add(columns.get(i).name() + " = " + value);
        }
        return String.join(", ", parts);
    }
}
