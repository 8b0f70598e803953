package io.weir.cluster.server;

import io.weir.cluster.security.User;
import java.util.function.Supplier;

/**
 * Who makes the request that this thread serves: Avatica's calls do not carry it. Set around each
 * request, by the thread that serves it.
 */
final class Callers {
    private static final ThreadLocal<User> CALLER = new ThreadLocal<>();

    private Callers() {}

    static <T> T as(User user, Supplier<T> request) {
        CALLER.set(user);
        try {
            return request.get();
        } finally {
            CALLER.remove();
        }
    }

    static User current() {
        User user = CALLER.get();
        if (user == null) {
            throw new IllegalStateException("outside of a request");
        }
        return user;
    }
}
