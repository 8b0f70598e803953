package io.weir.cluster.session;

/** The session has ended, never was, or belongs to another user. */
public final class NoSessionException extends RuntimeException {
    private static final long serialVersionUID = 1;

    NoSessionException(String session) {
        super("no connection " + session);
    }
}
