package io.weir.cluster.security;

/** The client has too many passwords that wait for their check. */
public final class Busy extends Exception {
    private static final long serialVersionUID = 1L;
}
