package io.weir.cluster.server;

import io.weir.cluster.security.User;
import java.util.function.Supplier;

/**
 * Who makes the request that this thread serves, and how long it may wait for rows: Avatica's calls
 * do not carry it. Set around each request, by the thread that serves it.
 */
final class Callers {
    private static final ThreadLocal<Caller> CALLER = new ThreadLocal<>();

    private record Caller(User user, long waitNs) {}

    private Callers() {}

    static <T> T as(User user, Supplier<T> request) {
        return as(user, Long.MAX_VALUE, request);
    }

    /**
     * The same, of a client that does not wait for ever.
     *
     * @param waitNs after which it wants an answer, if only that there is no row
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
