package io.weir.cluster.counts;

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
            for (int p = 0; p < PACKETS; p++) {
                nowNs += step();
                long tsNs =
                        nowNs - random.nextInt(random.nextInt(9) == 0 ? 2_000_000_000 : 30_000_000);
                times.add(tsNs);
                oracle.merge(tsNs, 1L, Long::sum);
                if (p % 400 == 0) {
                    check(times, oracle);
                }
            }
            check(times, oracle);
        }
    }

    /** Mostly some packets a bucket; now and then a pause, or a long one. */
    private long step() {
        int kind = random.nextInt(4_000);
        return kind == 0
                ? 5_000_000_000_000L
                : kind < 4 ? random.nextInt(1 << 30) * 100L : random.nextInt(4_000_000);
    }

    private void check(PacketTimes times, NavigableMap<Long, Long> oracle) {
        long newestNs = oracle.lastKey();
        long ago = random.nextInt(random.nextBoolean() ? 1_000 : 1_000_000) * PacketTimes.BUCKET_NS;
        long bucketNs = Math.floorDiv(newestNs, PacketTimes.BUCKET_NS) * PacketTimes.BUCKET_NS;
        for (long atNs : new long[] {bucketNs - ago, bucketNs, times.afterAllNs()}) {
            long before = oracle.headMap(atNs).values().stream().mapToLong(Long::longValue).sum();
            assertEquals(before, times.before(atNs), "-Dweir.seed=" + seed);
        }
        long all = oracle.values().stream().mapToLong(Long::longValue).sum();
        assertEquals(all, times.before(Long.MAX_VALUE), "-Dweir.seed=" + seed);
    }

    /** More buckets than are kept: the oldest are one number, and all packets stay counted. */
    @Test
    void whatIsOlderThanAllThatIsKeptIsOneNumber() {
        PacketTimes times = new PacketTimes();
        int packets = PacketTimes.MOST_BUCKETS + 1_000;
        for (int p = 0; p < packets; p++) {
            times.add(3L * p * PacketTimes.BUCKET_NS);
        }
        times.add(0);
        long atNs = 3L * (packets - 100) * PacketTimes.BUCKET_NS;
        assertEquals(packets - 100 + 1, times.before(atNs));
        assertEquals(packets + 1, times.before(Long.MAX_VALUE));
    }
}
