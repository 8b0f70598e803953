package io.weir.cluster.security;

import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Operator;
import io.weir.operators.graph.Query;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Whether a query's rows are single packets, or as good as that: it does not aggregate them, or its
 * groups are made by what tells one packet from the next. What it cannot see is a group that
 * happens to have one packet only.
 */
public final class Evidence {
    private static final Set<String> ISOLATING = Set.of("ts", "tcp_seq", "tcp_ack", "ip_id");

    private Evidence() {}

    /**
     * @param queries by name, those that it may read
     */
    public static boolean isIn(Query query, Function<String, Optional<Query>> queries) {
        Optional<Operator.Aggregate> aggregate = query.aggregate();
        if (query.readsPackets()) {
            return aggregate.isEmpty()
                    || aggregate.get().keys().stream().anyMatch(Evidence::isolates);
        }
        return aggregate.isEmpty()
                && queries.apply(query.scan().stream())
                        .map(upstream -> isIn(upstream, queries))
                        .orElse(true);
    }

    private static boolean isolates(Operator.Named key) {
        return mentions(key.expr());
    }

    private static boolean mentions(Expr expr) {
        if (expr instanceof Expr.Variable variable) {
            return ISOLATING.contains(variable.name());
        }
        return expr instanceof Expr.Call call
                && call.arguments().stream().anyMatch(Evidence::mentions);
    }
}
