package io.weir.cluster.server;

import io.weir.cluster.security.User;
import java.util.function.Supplier;

/**
 * The user of the request that this thread serves, and its longest wait for rows. Avatica's calls
 * do not carry them. The serving thread sets them around each request.
 */
final class Callers {
    private static final ThreadLocal<Caller> CALLER = new ThreadLocal<>();

    private record Caller(User user, long waitNs) {}

    private Callers() {}

    static <T> T as(User user, Supplier<T> request) {
        return as(user, Long.MAX_VALUE, request);
    }

    /**
     * Runs a request of a client that does not wait for ever.
     *
     * @param waitNs after which it wants an answer, even without a row
     */
    static <T> T as(User user, long waitNs, Supplier<T> request) {
        CALLER.set(new Caller(user, waitNs));
        try {
            return request.get();
        } finally {
            CALLER.remove();
        }
    }

    static User current() {
        return caller().user();
    }

    static long waitNs() {
        return caller().waitNs();
    }

    private static Caller caller() {
        Caller caller = CALLER.get();
        if (caller == null) {
            throw new IllegalStateException("outside of a request");
        }
        return caller;
    }
}
