package io.weir.sql.plan;

import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Expr.Variable;
import io.weir.operators.graph.Operator;
import io.weir.operators.graph.PartitionKey;
import io.weir.operators.graph.Query;

/**
 * Decides whether a query adds up the packets of several nodes. It does not if it groups by
 * node_id, or fixes it.
 */
final class NodeRule {
    private static final String NODE = "node_id";

    private NodeRule() {}

    /** Returns whether a packet that two nodes saw counts twice in one group or row. */
    static boolean addsUp(Query query) {
        return query.isSplitBy(PartitionKey.NODE)
                && !pinsNode(query.aggregate().orElseThrow().input());
    }

    /** WHERE … AND node_id = 'a' AND …. */
    private static boolean pinsNode(Operator input) {
        return input instanceof Operator.Filter filter
                && Conditions.parts(filter.condition()).stream().anyMatch(NodeRule::isNodeTest);
    }

    private static boolean isNodeTest(Expr condition) {
        return condition instanceof Expr.Call call
                && call.function().name().equals("=")
                && call.arguments().stream().anyMatch(NodeRule::isNode)
                && call.arguments().stream().anyMatch(Expr.Literal.class::isInstance);
    }

    private static boolean isNode(Expr expr) {
        return expr instanceof Variable variable && variable.name().equals(NODE);
    }
}
