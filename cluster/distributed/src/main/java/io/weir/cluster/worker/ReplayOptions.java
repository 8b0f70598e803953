package io.weir.cluster.worker;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The way in which captures are replayed as if their packets came now.
 *
 * @param speed how many seconds of the capture pass in one; infinite: as fast as they are read
 * @param repeat whether they begin again when they end
 * @param begin of the replay; empty: at once; {@link #WHEN_READY}: when the worker has all that it
 *     needs
 * @param shifted whether packet times become the times at which they pass; then it has a begin
 * @param forQuery the longest wait for a query before it begins
 */
public record ReplayOptions(
        double speed, boolean repeat, Optional<Instant> begin, boolean shifted, Duration forQuery) {
    public static final Instant WHEN_READY = Instant.MAX;

    public static final ReplayOptions AT_ONCE =
            new ReplayOptions(Double.POSITIVE_INFINITY, false, Optional.empty(), Duration.ZERO);

    /**
     * @param begin of the replay and of its packets' times; empty: at once, with the times of the
     *     capture
     */
    public ReplayOptions(double speed, boolean repeat, Optional<Instant> begin, Duration forQuery) {
        this(speed, repeat, begin, begin.isPresent(), forQuery);
    }

    public ReplayOptions {
        if (!(speed > 0)) {
            throw new IllegalArgumentException("speed " + speed);
        }
    }
}
