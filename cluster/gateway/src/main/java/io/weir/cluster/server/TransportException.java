package io.weir.cluster.server;

/** A request without an answer: the reason, and its SQLSTATE. */
final class TransportException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String state;

    TransportException(String message, String state, Throwable cause) {
        super(message, cause);
        this.state = state;
    }

    String state() {
        return state;
    }
}
