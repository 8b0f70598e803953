package io.weir.cluster.http;

import java.time.Duration;

/**
 * How much of a server one client can hold, and for how long.
 *
 * @param connections at one time; one more closes the one that has waited longest for its client
 * @param head for a request's head, from its first byte on, with TLS's handshake before it
 * @param idle between two requests
 * @param bytesPerSecond that a body has to come at, and an answer to be taken at, after {@code
 *     head}
 */
public record HttpLimits(int connections, Duration head, Duration idle, int bytesPerSecond) {
    /** Of a server for many clients. */
    public static final HttpLimits DEFAULT =
            new HttpLimits(1_024, Duration.ofSeconds(10), Duration.ofSeconds(60), 64 << 10);

    /** The same, for fewer connections. */
    public HttpLimits withConnections(int most) {
        return new HttpLimits(most, head, idle, bytesPerSecond);
    }

    /** For a body or an answer of a length. */
    long transferNs(long bytes) {
        return head.toNanos() + bytes * 1_000_000_000L / bytesPerSecond;
    }
}
