package io.weir.cluster.placement;

import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Functions;
import io.weir.operators.graph.Query;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The nodes whose packets a query can want, according to its WHERE: {@code node_id = 'a'}, IN
 * lists, and AND and OR of them. Any other condition says nothing about nodes.
 */
public final class NodePin {
    private static final String NODE = "node_id";

    private NodePin() {}

    /** Returns empty if it may want packets of every node; an empty set if no packet can match. */
    public static Optional<Set<String>> of(Query query) {
        return query.reads().isSpread()
                ? query.scanFilter().flatMap(NodePin::allowed)
                : Optional.empty();
    }

    private static Optional<Set<String>> allowed(Expr condition) {
        if (!(condition instanceof Expr.Call call)) {
            return Optional.empty();
        } else if (call.function().equals(Functions.AND)) {
            Optional<Set<String>> all = Optional.empty();
            for (Expr part : call.arguments()) {
                all = both(all, allowed(part));
            }
            return all;
        } else if (call.function().equals(Functions.OR)) {
            Set<String> any = new TreeSet<>();
            for (Expr part : call.arguments()) {
                Optional<Set<String>> some = allowed(part);
                if (some.isEmpty()) {
                    return Optional.empty();
                }
                any.addAll(some.get());
            }
            return Optional.of(any);
        }
        return equal(call);
    }

    private static Optional<Set<String>> both(Optional<Set<String>> a, Optional<Set<String>> b) {
        if (a.isEmpty() || b.isEmpty()) {
            return a.isEmpty() ? b : a;
        }
        Set<String> both = new TreeSet<>(a.get());
        both.retainAll(b.get());
        return Optional.of(both);
    }

    /** Reads {@code node_id = 'a'}, or the reverse. */
    private static Optional<Set<String>> equal(Expr.Call call) {
        if (!call.function().name().equals("=")) {
            return Optional.empty();
        }
        Expr left = call.arguments().get(0);
        Expr right = call.arguments().get(1);
        return equal(left, right).or(() -> equal(right, left));
    }

    private static Optional<Set<String>> equal(Expr column, Expr value) {
        return column instanceof Expr.Variable variable
                        && variable.name().equals(NODE)
                        && value instanceof Expr.Literal literal
                        && literal.value() instanceof String node
                ? Optional.of(Set.of(node))
                : Optional.empty();
    }
}
