package io.weir.operators.graph;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The columns by whose hash a source spreads its packets over pipelines. The one place that decides
 * whether a query's groups must be merged: the planner, EXPLAIN, placement and the engine ask here.
 */
public record PartitionKey(List<String> columns) {
    /** Safe for fragments, which have no ports. */
    public static final PartitionKey DEFAULT = new PartitionKey(List.of("src_addr", "dst_addr"));

    public PartitionKey {
        columns = List.copyOf(columns);
    }

    /**
     * Whether two pipelines can hold parts of one group: not where every column of this key is, as
     * it is, among the query's keys; nor where there are no groups, or rows that come in one piece.
     */
    public boolean splitsGroups(Query query) {
        return query.readsPackets()
                && query.aggregate()
                        .filter(aggregate -> !plainKeys(aggregate).containsAll(columns))
                        .isPresent();
    }

    /** Columns of the input that are keys as they are. */
    public static Set<String> plainKeys(Operator.Aggregate aggregate) {
        return aggregate.keys().stream()
                .map(Operator.Named::expr)
                .filter(Expr.Variable.class::isInstance)
                .map(key -> ((Expr.Variable) key).name())
                .collect(Collectors.toSet());
    }

    @Override
    public String toString() {
        return String.join(", ", columns);
    }
}
