package io.weir.cluster.http;

/** A request that is not understood, or not accepted. It is answered, and its connection closed. */
final class HttpFault extends Exception {
    private static final long serialVersionUID = 1L;

    private final int status;

    HttpFault(int status) {
        super("HTTP " + status, null, false, false);
        this.status = status;
    }

    int status() {
        return status;
    }
}
