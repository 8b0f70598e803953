package io.weir.operators.map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.memory.Memory;
import io.weir.operators.memory.MemoryTag;
import io.weir.operators.memory.NativeAllocator;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;

/** A map that is swept when it is full, against exact sums of all that was put in. */
final class LightestEvictionTest {
    private static final int ROUNDS = 60;
    private static final int WEIGHT = 1;
    private static final int CREDIT = 2;
    private static final int PACKETS = 0;

    @Test
    void noKeyLacksMoreThanItIsSaidTo() {
        long base = Long.getLong("weir.seed", 1);
        int swept = 0;
        for (long seed = base; seed < base + ROUNDS; seed++) {
            try (NativeAllocator memory = new NativeAllocator(1 << 24)) {
                swept += new Round(new Random(seed), memory).run();
            } catch (Throwable failure) {
                throw new AssertionError("-Dweir.seed=" + seed, failure);
            }
        }
        assertTrue(swept > ROUNDS, swept + " sweeps");
    }

    /**
     * Of a flood of keys that all weigh the same, those that go leave gaps all over the table. Else
     * a part of it stays full, and each new key is looked for along all of that.
     */
    @Test
    void aFloodOfEqualKeysIsSweptEvenly() {
        long seed = Long.getLong("weir.seed", 1);
        long odd = new Random(seed).nextLong() | 1;
        Random random = new Random(seed);
        for (int keyWords = 1; keyWords <= 3; keyWords++) {
            assertEvenly(keyWords, i -> i, "one after another");
            assertEvenly(keyWords, i -> i << 16, "networks");
            assertEvenly(keyWords, i -> i * odd, "multiples, -Dweir.seed=" + seed);
            assertEvenly(keyWords, i -> random.nextLong(), "random, -Dweir.seed=" + seed);
        }
    }

    private static void assertEvenly(int keyWords, LongUnaryOperator keys, String about) {
        int slots = 1 << 16;
        EntryLayout layout = EntryLayout.settled(keyWords, List.of(0L, 0L, 0L));
        try (NativeAllocator memory = new NativeAllocator(1 << 26);
                FlatMap map = FlatMaps.create(memory, layout, FlatMaps.bytes(layout, slots))) {
            LightestEviction lightest = new LightestEviction(WEIGHT, CREDIT, PACKETS);
            long key = memory.allocate((long) keyWords * Long.BYTES, MemoryTag.TEST);
            for (long i = 0; i < 5L * slots; i++) {
                if (!map.makeRoom(1)) {
                    int run = longestRun(map);
                    assertTrue(run < slots / 8, about + ": " + run + " slots in a row");
                    lightest.take(map, map.size() / 2);
                }
                for (int w = 0; w < keyWords; w++) {
                    Memory.putLong(key + (long) w * Long.BYTES, keys.applyAsLong(i));
                }
                long weight = map.findAt(key) + WEIGHT * Long.BYTES;
                Memory.putLong(weight, Memory.getLong(weight) + 1);
            }
            memory.free(key, (long) keyWords * Long.BYTES, MemoryTag.TEST);
        }
    }

    private static int longestRun(FlatMap map) {
        int longest = 0;
        int run = 0;
        for (long slot = map.table; slot < map.end(); slot += map.stride) {
            run = map.isEmpty(slot) ? 0 : run + 1;
            longest = Math.max(longest, run);
        }
        return longest;
    }

    private static final class Round {
        private final Random random;
        private final NativeAllocator memory;
        private final int keyWords;
        private final FlatMap map;
        private final LightestEviction lightest = new LightestEviction(WEIGHT, CREDIT, PACKETS);
        private final Map<List<Long>, long[]> exact = new HashMap<>();
        private final boolean heavyTail;
        private long floor;
        private long gone;
        private int leastStay = Integer.MAX_VALUE;
        private int sweeps;

        Round(Random random, NativeAllocator memory) {
            this.random = random;
            this.memory = memory;
            keyWords = 1 + random.nextInt(3);
            heavyTail = random.nextBoolean();
            EntryLayout layout = EntryLayout.settled(keyWords, List.of(0L, 0L, 0L));
            map =
                    FlatMaps.create(
                            memory, layout, FlatMaps.bytes(layout, 256L << random.nextInt(2)));
        }

        int run() {
            long key = memory.allocate((long) keyWords * Long.BYTES, MemoryTag.TEST);
            int updates = random.nextInt(20_000);
            int keys = 1 + random.nextInt(5_000);
            for (int u = 0; u < updates; u++) {
                int batch = 1 + random.nextInt(100);
                if (!map.makeRoom(batch)) {
                    sweep(batch);
                }
                for (; batch > 0; batch--, u++) {
                    update(key, keys);
                }
            }
            check();
            map.close();
            memory.free(key, (long) keyWords * Long.BYTES, MemoryTag.TEST);
            return sweeps;
        }

        private void sweep(int batch) {
            int before = map.size();
            int stay = Math.min(before / 2, map.fullAt() - batch);
            floor += lightest.take(map, stay);
            gone += lightest.packets();
            assertEquals(stay, map.size());
            leastStay = Math.min(leastStay, stay);
            sweeps++;
        }

        private void update(long at, int keys) {
            double part = random.nextDouble();
            long which = (long) (keys * (random.nextInt(3) > 0 ? part * part * part : part));
            List<Long> words = new ArrayList<>();
            for (int w = 0; w < keyWords; w++) {
                // The all-zero key is one of them.
                long word = w == 0 ? which : which % 7;
                words.add(word);
                Memory.putLong(at + (long) w * Long.BYTES, word);
            }
            long weight = heavyTail ? 1L << random.nextInt(40) : random.nextInt(1500);
            long value = map.findAt(at);
            assertTrue(value != 0, "room was made");
            add(value, PACKETS, 1);
            add(value, WEIGHT, weight);
            long[] sums = exact.computeIfAbsent(words, k -> new long[2]);
            sums[PACKETS]++;
            sums[WEIGHT] += weight;
        }

        private static void add(long value, int word, long more) {
            long at = value + (long) word * Long.BYTES;
            Memory.putLong(at, Memory.getLong(at) + more);
        }

        private void check() {
            Map<List<Long>, long[]> left = new HashMap<>(exact);
            long kept = 0;
            for (long e = map.firstEntry(); e != 0; e = map.nextEntry(e)) {
                List<Long> words = new ArrayList<>();
                for (int w = 0; w < keyWords; w++) {
                    words.add(Memory.getLong(e + (long) w * Long.BYTES));
                }
                long[] sums = left.remove(words);
                long value = e + map.keyBytes();
                assertEquals(value, map.findAt(e), "where it is looked for");
                long weight = Memory.getLong(value + WEIGHT * Long.BYTES);
                long lacks = floor - Memory.getLong(value + CREDIT * Long.BYTES);
                kept += Memory.getLong(value);
                assertTrue(weight <= sums[WEIGHT], "never over");
                assertTrue(lacks >= 0 && sums[WEIGHT] <= weight + lacks, "nor under");
            }
            for (long[] absent : left.values()) {
                assertTrue(absent[WEIGHT] <= floor, absent[WEIGHT] + " over " + floor);
            }
            long packets = exact.values().stream().mapToLong(s -> s[PACKETS]).sum();
            long weight = exact.values().stream().mapToLong(s -> s[WEIGHT]).sum();
            assertEquals(packets, kept + gone);
            assertEquals(kept, lightest.packetsOf(map));
            assertTrue(floor <= weight / Math.max(1, leastStay), floor + " of " + weight);
        }
    }
}
