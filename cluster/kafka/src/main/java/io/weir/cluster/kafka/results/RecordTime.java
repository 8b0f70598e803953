package io.weir.cluster.kafka.results;

import io.weir.cluster.wire.OutboxRow;
import java.time.Duration;

/**
 * Computes the timestamp of a row's record: the end of its window, if Kafka accepts that. Kafka
 * refuses a record from the future, by default beyond an hour, and with it all that wait behind. It
 * deletes a record that is older than its topic's retention before anybody reads it. Old captures,
 * wrong clocks and hostile packets make such windows. Their rows have the time at which they were
 * made. The headers always have the window.
 */
public final class RecordTime {
    private static final long MOST_AHEAD_MS = Duration.ofMinutes(30).toMillis();
    private static final long MOST_BEHIND_MS = Duration.ofDays(6).toMillis();
    private static final long MS_NS = 1_000_000;

    private RecordTime() {}

    /** Returns milliseconds; for a row without a window, the time when it was made. */
    public static long ms(OutboxRow row, long nowMs) {
        long ms =
                row.hasWindowEndNs() ? Math.floorDiv(row.getWindowEndNs(), MS_NS) : row.getMadeMs();
        return ms <= nowMs + MOST_AHEAD_MS && ms >= nowMs - MOST_BEHIND_MS ? ms : nowMs;
    }
}
