package io.weir.cluster.node;

/** One client's talk with a node. Thread-safe: several threads may serve a client. */
@FunctionalInterface
public interface SqlSession {
    /**
     * Plans one statement and starts nothing.
     *
     * @throws io.weir.operators.error.WeirException when the statement is wrong, or not allowed
     */
    Answer prepare(String sql);
}
