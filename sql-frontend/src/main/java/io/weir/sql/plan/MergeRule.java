package io.weir.sql.plan;

import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Expr.Variable;
import io.weir.operators.graph.Operator;
import io.weir.operators.graph.Query;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Whether partial results of several partitions must be merged: not when each group lies in one
 * partition, which is so when every partition column is a plain group column.
 */
public final class MergeRule {
    /** The default partition key of a source. */
    public static final List<String> DEFAULT_PARTITION_KEY = List.of("src_addr", "dst_addr");

    private static final String NODE = "node_id";

    private MergeRule() {}

    /** Whether groups of the query can lie in several partitions. */
    public static boolean needsMerge(Query query, List<String> partitionKey) {
        Optional<Operator.Aggregate> aggregate = aggregate(query.root());
        boolean packets = query.scan().stream().equals(Operator.Scan.PACKETS);
        return packets
                && aggregate.isPresent()
                && !plainKeys(aggregate.get()).containsAll(partitionKey);
    }

    /** Whether a packet that two nodes saw counts twice in one group or row. */
    static boolean addsNodesUp(Query query) {
        Optional<Operator.Aggregate> aggregate = aggregate(query.root());
        return query.scan().stream().equals(Operator.Scan.PACKETS)
                && aggregate.isPresent()
                && !plainKeys(aggregate.get()).contains(NODE)
                && !pinsNode(aggregate.get().input());
    }

    static Optional<Operator.Aggregate> aggregate(Operator operator) {
        if (operator instanceof Operator.Aggregate aggregate) {
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

    private static Set<String> plainKeys(Operator.Aggregate aggregate) {
        return aggregate.keys().stream()
                .map(Operator.Named::expr)
                .filter(Variable.class::isInstance)
                .map(key -> ((Variable) key).name())
                .collect(Collectors.toSet());
    }

    /** WHERE … AND node_id = 'a' AND …. */
    private static boolean pinsNode(Operator input) {
        return input instanceof Operator.Filter filter
                && Conditions.parts(filter.condition()).stream().anyMatch(MergeRule::isNodeTest);
    }

    private static boolean isNodeTest(Expr condition) {
        return condition instanceof Expr.Call call
                && call.function().name().equals("=")
                && call.arguments().stream().anyMatch(MergeRule::isNode)
                && call.arguments().stream().anyMatch(Expr.Literal.class::isInstance);
    }

    private static boolean isNode(Expr expr) {
        return expr instanceof Variable variable && variable.name().equals(NODE);
    }
}
