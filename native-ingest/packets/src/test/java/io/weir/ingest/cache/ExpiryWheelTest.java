package io.weir.ingest.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.memory.MemoryTag;
import io.weir.operators.memory.NativeAllocator;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ExpiryWheelTest {
    private static final int SLOTS = 50;

    @Test
    void expiresInTimeAndBoundsTheOldest() {
        long seed = Long.getLong("weir.seed", 1);
        Random random = new Random(seed);
        for (int round = 0; round < 200; round++) {
            oneRun(random, "seed " + seed + ", round " + round);
        }
    }

    private static void oneRun(Random random, String where) {
        long timeoutNs = random.nextInt(10) == 0 ? 0 : 1L << random.nextInt(40);
        long bytes = ExpiryWheel.BYTES + SLOTS * (long) ExpiryWheel.LINK_BYTES;
        try (NativeAllocator allocator = new NativeAllocator(1 << 20)) {
            long at = allocator.allocate(bytes, MemoryTag.CACHE);
            long links = at + ExpiryWheel.BYTES;
            oneRun(random, new ExpiryWheel(at, links, SLOTS, timeoutNs), timeoutNs, where);
            allocator.free(at, bytes, MemoryTag.CACHE);
        }
    }

    private static void oneRun(Random random, ExpiryWheel wheel, long timeoutNs, String at) {
        Map<Integer, Long> starts = new HashMap<>();
        long newestNs = random.nextLong() >> 2;
        long nextNs = Long.MIN_VALUE;
        for (int step = 0; step < 500; step++) {
            newestNs += (long) (random.nextDouble() * timeoutNs * (step % 50 == 0 ? 100 : 0.2)) + 1;
            if (newestNs >= nextNs) {
                nextNs = wheel.advance(newestNs);
                assertTrue(nextNs > newestNs, at);
                expire(wheel, starts);
            }
            int slot = random.nextInt(SLOTS);
            wheel.unlink(slot);
            starts.remove(slot);
            long startNs = newestNs - (long) (random.nextDouble() * 1.2 * timeoutNs);
            if (!wheel.isExpired(startNs) && random.nextInt(3) > 0) {
                wheel.link(slot, startNs);
                starts.put(slot, startNs);
            }
            check(wheel, starts, newestNs, timeoutNs, at);
        }
    }

    private static void expire(ExpiryWheel wheel, Map<Integer, Long> starts) {
        for (int slot = wheel.expiredSlot(); slot >= 0; slot = wheel.expiredSlot()) {
            wheel.unlink(slot);
            starts.remove(slot);
        }
    }

    private static void check(
            ExpiryWheel wheel,
            Map<Integer, Long> starts,
            long newestNs,
            long timeoutNs,
            String at) {
        long oldestNs = starts.values().stream().mapToLong(s -> s).min().orElse(Long.MAX_VALUE);
        assertTrue(wheel.oldestNs() <= oldestNs, at);
        assertEquals(starts.isEmpty(), wheel.oldestNs() == Long.MAX_VALUE, at);
        assertTrue(starts.isEmpty() || oldestNs >= newestNs - timeoutNs - timeoutNs / 16, at);
    }
}
