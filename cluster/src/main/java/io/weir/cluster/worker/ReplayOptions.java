package io.weir.cluster.worker;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * How captures are replayed as if their packets came now.
 *
 * @param speed how many seconds of the capture pass in one; infinite: as fast as they are read
 * @param repeat whether they begin again when they end
 * @param begin when the replay begins, and its packets' times with it; empty: at once, with the
 *     times of the capture; {@link #WHEN_READY}: when the worker has all that it needs
 * @param forQuery how long it waits, at most, for a query to be there before it begins
 */
public record ReplayOptions(
        double speed, boolean repeat, Optional<Instant> begin, Duration forQuery) {
    public static final Instant WHEN_READY = Instant.MAX;

    public static final ReplayOptions AT_ONCE =
            new ReplayOptions(Double.POSITIVE_INFINITY, false, Optional.empty(), Duration.ZERO);

    public ReplayOptions {
        if (!(speed > 0)) {
            throw new IllegalArgumentException("speed " + speed);
        }
    }
}
