package io.weir.cluster.node;

import java.time.Duration;

/**
 * How a node reads its captures.
 *
 * @param layout of the GPVs: full, flow32 or flow64
 * @param lateness how much older than the newest packet one may be before it is late
 * @param timeout after which a GPV leaves the cache
 */
public record NodeSettings(Shape shape, String layout, Duration lateness, Duration timeout) {
    public static final NodeSettings DEFAULT =
            new NodeSettings(Shape.ONE, "full", Duration.ofSeconds(1), Duration.ofSeconds(1));
}
