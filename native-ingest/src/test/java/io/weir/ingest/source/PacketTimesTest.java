package io.weir.ingest.source;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Counts by time are those of a sorted map, out of order and after gaps too. */
final class PacketTimesTest {
    private static final int PACKETS = 20_000;

    private final long seed = Long.getLong("weir.seed", 3);
    private final Random random = new Random(seed);

    @Test
    void packetsBeforeATimeAreThoseOfASortedMap() {
        for (int round = 0; round < 5; round++) {
            PacketTimes times = new PacketTimes();
            TreeMap<Long, Long> oracle = new TreeMap<>();
            assertEquals(Long.MIN_VALUE, times.afterAllNs());
            long nowNs = random.nextInt(1_000_000_000) - 500_000_000L;
            long fromNs = nowNs;
            for (int p = 0; p < PACKETS; p++) {
                long stepNs = step();
                nowNs += stepNs;
                fromNs = stepNs >= PacketTimes.SPAN_NS ? nowNs : fromNs;
                // What is older than all that is kept is only known to be that.
                long tsNs = Math.max(fromNs, nowNs - random.nextInt(30_000_000));
                times.add(tsNs);
                oracle.merge(tsNs, 1L, Long::sum);
                if (p % 400 == 0) {
                    check(times, oracle);
                }
            }
            check(times, oracle);
        }
    }

    /** Mostly some packets a bucket; now and then a pause, and one longer than all that is kept. */
    private long step() {
        int kind = random.nextInt(4_000);
        return kind == 0
                ? 2 * PacketTimes.SPAN_NS
                : kind < 4 ? random.nextInt(1 << 30) * 100L : random.nextInt(4_000_000);
    }

    private void check(PacketTimes times, NavigableMap<Long, Long> oracle) {
        long newestNs = oracle.lastKey();
        long ago = random.nextInt(1_000) * PacketTimes.BUCKET_NS;
        long bucketNs = Math.floorDiv(newestNs, PacketTimes.BUCKET_NS) * PacketTimes.BUCKET_NS;
        for (long atNs : new long[] {bucketNs - ago, bucketNs, times.afterAllNs()}) {
            long before = oracle.headMap(atNs).values().stream().mapToLong(Long::longValue).sum();
            assertEquals(before, times.before(atNs), "-Dweir.seed=" + seed);
        }
        long all = oracle.values().stream().mapToLong(Long::longValue).sum();
        assertEquals(all, times.before(Long.MAX_VALUE), "-Dweir.seed=" + seed);
    }
}
