package io.weir.cluster.node;

import io.weir.cluster.security.User;
import io.weir.operators.graph.Expr.Variable;
import java.util.List;

/**
 * What answers SQL: the embedded node now, one that speaks for a cluster later. Thread-safe: each
 * client's thread calls it.
 */
public interface SqlNode {
    /**
     * A talk with a new client. It holds nothing that would have to be closed.
     *
     * @param user who the client is: what the user may not do is refused
     */
    SqlSession session(User user);

    /** What can be selected from: {@code packets} and its kin, then the queries by name. */
    List<Stream> streams();

    /** Listings that this user can select from, by their names in {@code sys}. */
    List<Stream> sysTables(User user);

    /**
     * A stream with its columns.
     *
     * @param isQuery whether a user made it, by CREATE QUERY
     */
    record Stream(String name, boolean isQuery, List<Variable> columns) {
        public Stream {
            columns = List.copyOf(columns);
        }
    }
}
