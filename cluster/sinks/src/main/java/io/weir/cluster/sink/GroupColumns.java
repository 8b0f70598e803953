package io.weir.cluster.sink;

import io.weir.operators.graph.Expr.Variable;
import io.weir.operators.graph.Operator;
import io.weir.operators.graph.Query;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Finds the columns of a query's rows that show the group: the key of a row's record. */
public final class GroupColumns {
    private GroupColumns() {}

    /** Returns the indexes of the columns that show a group key unchanged; none without groups. */
    public static int[] of(Query query) {
        if (query.aggregate().isEmpty()) {
            return new int[0];
        }
        Set<String> keys =
                query.aggregate().get().keys().stream()
                        .map(Operator.Named::name)
                        .collect(Collectors.toSet());
        Operator top = query.root() instanceof Operator.Sort sort ? sort.input() : query.root();
        var outputs = ((Operator.Project) top).outputs();
        return IntStream.range(0, outputs.size())
                .filter(
                        i ->
                                outputs.get(i).expr() instanceof Variable variable
                                        && keys.contains(variable.name()))
                .toArray();
    }
}
