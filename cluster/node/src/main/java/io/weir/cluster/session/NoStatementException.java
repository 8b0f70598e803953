package io.weir.cluster.session;

/** The session has no such statement: it was closed, or forgotten after a silence. */
public final class NoStatementException extends Exception {
    private static final long serialVersionUID = 1;

    NoStatementException(int statement) {
        super("no statement " + statement);
    }
}
