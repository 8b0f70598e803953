package io.weir.cluster.http;

import java.time.Duration;

/**
 * The bounds for one client of a server.
 *
 * @param connections at one time; one more closes the one that has waited longest for its client
 * @param head for a request's head, from its first byte on, including TLS's handshake before it
 * @param idle between two requests
 * @param bytesPerSecond the least rate of a body, and of taking an answer, after {@code head}
 */
public record HttpLimits(int connections, Duration head, Duration idle, int bytesPerSecond) {
    /** Limits for a server with many clients. */
    public static final HttpLimits DEFAULT =
            new HttpLimits(1_024, Duration.ofSeconds(10), Duration.ofSeconds(60), 64 << 10);

    /** Returns the same limits for fewer connections. */
    public HttpLimits withConnections(int most) {
        return new HttpLimits(most, head, idle, bytesPerSecond);
    }

    /** Returns the time for a body or an answer of a length. */
    long transferNs(long bytes) {
        return head.toNanos() + bytes * 1_000_000_000L / bytesPerSecond;
    }
}
