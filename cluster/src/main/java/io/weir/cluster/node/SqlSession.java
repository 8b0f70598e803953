package io.weir.cluster.node;

import io.weir.sql.validate.Placeholders;

/** One client's talk with a node. Thread-safe: several threads may serve a client. */
@FunctionalInterface
public interface SqlSession {
    /**
     * Plans one statement and starts nothing.
     *
     * @param values of its {@code ?}s; where they are to come, the answer is not to be run
     * @throws io.weir.operators.error.WeirException when the statement is wrong, or not allowed
     */
    Answer prepare(String sql, Placeholders values);

    /** A statement that has no {@code ?}. */
    default Answer prepare(String sql) {
        return prepare(sql, Placeholders.none());
    }
}
