package io.weir.cluster.placement;

import io.weir.operators.graph.Expr.Variable;
import io.weir.operators.graph.Operator;
import io.weir.operators.graph.Operator.Aggregate;
import io.weir.operators.graph.Query;
import java.util.List;
import java.util.Optional;

/**
 * One machine: every query over packets runs on all pipelines. Packets are spread over them by a
 * hash of the partition key, so a group whose key has all its columns, as they are, lies whole on
 * one pipeline, and no merge is needed.
 */
public final class LocalPlacement implements Placement {
    /** What packets are partitioned by. */
    public static final List<String> PARTITION_KEY = List.of("src_addr", "dst_addr");

    private final int pipelines;

    /**
     * @param pipelines of all partitions together
     */
    public LocalPlacement(int pipelines) {
        this.pipelines = pipelines;
    }

    @Override
    public Place place(Query query) {
        if (!query.scan().stream().equals(Operator.Scan.PACKETS)) {
            return new Place(1, false, "reads the rows of " + query.scan().stream());
        }
        if (pipelines == 1) {
            return new Place(1, false, "there is one pipeline");
        }
        Optional<Aggregate> aggregate = aggregate(query.root());
        if (aggregate.isEmpty()) {
            return new Place(pipelines, false, "rows of packets are put in order, not merged");
        }
        String key = String.join(", ", PARTITION_KEY);
        boolean whole =
                PARTITION_KEY.stream().allMatch(column -> isPlainKey(aggregate.get(), column));
        String reason =
                whole
                        ? "each group lies on one pipeline: its key has " + key
                        : "pipelines share groups: the key lacks one of " + key;
        return new Place(pipelines, !whole, reason);
    }

    private static boolean isPlainKey(Aggregate aggregate, String column) {
        return aggregate.keys().stream()
                .anyMatch(
                        key ->
                                key.expr() instanceof Variable variable
                                        && variable.name().equals(column));
    }

    private static Optional<Aggregate> aggregate(Operator operator) {
        if (operator instanceof Aggregate aggregate) {
            return Optional.of(aggregate);
        } else if (operator instanceof Operator.Sort sort) {
            return aggregate(sort.input());
        } else if (operator instanceof Operator.Project project) {
            return aggregate(project.input());
        } else if (operator instanceof Operator.Filter filter) {
            return aggregate(filter.input());
        }
        return Optional.empty();
    }
}
