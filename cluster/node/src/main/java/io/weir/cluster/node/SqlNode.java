package io.weir.cluster.node;

import io.weir.cluster.security.User;
import io.weir.operators.graph.Expr.Variable;
import java.util.List;

/**
 * Answers SQL: the embedded node, or one that speaks for a cluster. Thread-safe: each client's
 * thread calls it.
 */
public interface SqlNode {
    /**
     * Makes a session with a new client. Nothing in it must be closed.
     *
     * @param user the client's user; statements beyond the user's rights are refused
     */
    SqlSession session(User user);

    /**
     * Returns the streams to select from: {@code packets} and similar ones, then the queries by
     * name.
     */
    List<Stream> streams();

    /** Returns the listings that this user can select from, by their names in {@code sys}. */
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
