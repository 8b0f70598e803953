package io.weir.cluster.placement;

import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Functions;
import io.weir.operators.graph.Query;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The nodes whose packets a query can want at all, as its WHERE tells: {@code node_id = 'a'}, IN
 * lists, and what AND and OR make of them. Any other condition says nothing about nodes.
 */
public final class NodePin {
    private static final String NODE = "node_id";

    private NodePin() {}

    /** Empty when it may want those of every node; an empty set when no packet will do. */
    public static Optional<Set<String>> of(Query query) {
        return query.readsPackets()
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

    /** {@code node_id = 'a'}, or the other way round. */
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
