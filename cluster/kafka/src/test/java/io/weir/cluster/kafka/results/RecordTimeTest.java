package io.weir.cluster.kafka.results;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.cluster.wire.OutboxRow;
import org.junit.jupiter.api.Test;

class RecordTimeTest {
    private static final long NOW_MS = 1_800_000_000_000L;
    private static final long HOUR_MS = 3_600_000;

    @Test
    void aWindowsEndIsTheTimeWhereKafkaKeepsIt() {
        assertEquals(NOW_MS - 5, of(NOW_MS - 5));
        assertEquals(NOW_MS + HOUR_MS / 4, of(NOW_MS + HOUR_MS / 4));
        assertEquals(NOW_MS - 100 * HOUR_MS, of(NOW_MS - 100 * HOUR_MS));
        // Refused by brokers, and deleted by them.
        assertEquals(NOW_MS, of(NOW_MS + HOUR_MS));
        assertEquals(NOW_MS, of(NOW_MS - 200 * HOUR_MS));
        assertEquals(NOW_MS, of(-1));
        assertEquals(NOW_MS, RecordTime.ms(OutboxRow.getDefaultInstance(), NOW_MS));
    }

    private static long of(long endMs) {
        OutboxRow row = OutboxRow.newBuilder().setWindowEndNs(endMs * 1_000_000).build();
        return RecordTime.ms(row, NOW_MS);
    }
}
