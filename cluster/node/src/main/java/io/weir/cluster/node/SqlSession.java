package io.weir.cluster.node;

import io.weir.sql.validate.Placeholders;

/** One client's session with a node. Thread-safe: several threads may serve a client. */
@FunctionalInterface
public interface SqlSession {
    /**
     * Plans one statement and starts nothing.
     *
     * @param values of its {@code ?}s; if they are still to come, the answer cannot be run
     * @throws io.weir.operators.error.WeirException when the statement is wrong, or not allowed
     */
    Answer prepare(String sql, Placeholders values);

    /** Plans a statement that has no {@code ?}. */
    default Answer prepare(String sql) {
        return prepare(sql, Placeholders.none());
    }
}
