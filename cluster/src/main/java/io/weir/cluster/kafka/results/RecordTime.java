package io.weir.cluster.kafka.results;

import io.weir.cluster.wire.OutboxRow;
import java.time.Duration;

/**
 * The timestamp of a row's record: the end of its window, where Kafka lets that be. A record from
 * the future is refused, by default beyond an hour, and all that waits behind it with it; one that
 * is older than its topic keeps rows is deleted before anybody reads it. Captures of long ago,
 * wrong clocks and hostile packets have such windows: their rows bear the time at which they were
 * made. The window is in the headers, whatever the timestamp says.
 */
public final class RecordTime {
    private static final long MOST_AHEAD_MS = Duration.ofMinutes(30).toMillis();
    private static final long MOST_BEHIND_MS = Duration.ofDays(6).toMillis();
    private static final long MS_NS = 1_000_000;

    private RecordTime() {}

    /** In milliseconds; of a row without a window, when it was made. */
    public static long ms(OutboxRow row, long nowMs) {
        long ms =
                row.hasWindowEndNs() ? Math.floorDiv(row.getWindowEndNs(), MS_NS) : row.getMadeMs();
        return ms <= nowMs + MOST_AHEAD_MS && ms >= nowMs - MOST_BEHIND_MS ? ms : nowMs;
    }
}
