package io.weir.operators.map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.memory.Memory;
import io.weir.operators.memory.MemoryTag;
import io.weir.operators.memory.NativeAllocator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Arrays of small keys, used as kernels do, against HashMap. */
class FlatMapDirectTest {
    private static final int ROUNDS = 300;

    @Test
    void agreesWithHashMap() {
        long base = Long.getLong("weir.seed", 1);
        int refused = 0;
        int beside = 0;
        for (long seed = base; seed < base + ROUNDS; seed++) {
            try (NativeAllocator memory = new NativeAllocator(16 << 20)) {
                Round round = new Round(new Random(seed), memory);
                round.run();
                refused += round.refused;
                beside += round.beside;
            } catch (Throwable failure) {
                throw new AssertionError("-Dweir.seed=" + seed, failure);
            }
        }
        assertTrue(refused > 0, "no key was refused");
        assertTrue(beside > 0, "no key was beside the array");
    }

    private static final class Round {
        private final Random random;
        private final NativeAllocator memory;
        private final EntryLayout layout;
        private final FlatMapDirect map;
        private final long maxBytes;
        private final Map<Long, List<Long>> oracle = new HashMap<>();
        private int refused;
        private int beside;

        Round(Random random, NativeAllocator memory) {
            this.random = random;
            this.memory = memory;
            int lanes = 1 << random.nextInt(3);
            Long[] initial = new Long[1 + random.nextInt(4)];
            for (int w = 0; w < initial.length; w++) {
                initial[w] = lanes == 1 && w > 0 ? random.nextInt(9) : 0L;
            }
            // The first word counts entries, or nothing does but the word behind.
            int entryWord = random.nextBoolean() ? 0 : initial.length;
            layout = EntryLayout.direct(Arrays.asList(initial), entryWord, lanes);
            maxBytes = random.nextInt(4) == 0 ? 20_000 : Long.MAX_VALUE;
            map = (FlatMapDirect) FlatMaps.create(memory, layout, maxBytes);
        }

        void run() {
            for (int lives = 1 + random.nextInt(2); lives > 0; lives--) {
                int bits = random.nextInt(1, 33);
                int wide = random.nextInt(3) == 0 ? 32 : bits;
                for (int i = random.nextInt(4000); i > 0; i--) {
                    add(random.nextLong() >>> Long.SIZE - (random.nextInt(50) == 0 ? wide : bits));
                }
                check();
                map.clear();
                oracle.clear();
                assertEquals(0, map.size());
            }
            map.close();
        }

        private void add(long key) {
            long lane = (long) random.nextInt(layout.lanes()) * layout.laneBytes();
            long slot = map.values() + key * layout.strideBytes() + lane;
            if (key >= map.keys()) {
                slot = map.findAlone(key);
                checkPlace(key, slot);
                beside += key < map.keys() ? 0 : 1;
            }
            assertEquals(map.bytes(), memory.usedBytes(MemoryTag.MAP));
            if (slot == 0) {
                assertTrue(maxBytes < Long.MAX_VALUE && !oracle.containsKey(key));
                refused++;
                return;
            }
            List<Long> words =
                    oracle.computeIfAbsent(key, k -> new ArrayList<>(layout.initialValue()));
            for (int w = 0; w < words.size(); w++) {
                long more = w == 0 ? 1 : random.nextInt(1000);
                words.set(w, words.get(w) + more);
                long at = slot + layout.offset(w);
                Memory.putLong(at, Memory.getLong(at) + more);
            }
            if (layout.hasWordBehind()) {
                Memory.putLong(slot + (long) words.size() * Long.BYTES, 1);
            }
        }

        /** In the array, or not; memory beside it may lie where it would go on. */
        private void checkPlace(long key, long slot) {
            long first = map.values();
            if (key < map.keys()) {
                assertEquals(first + key * layout.strideBytes(), slot);
            } else {
                assertTrue(slot < first || slot >= first + map.keys() * layout.strideBytes());
            }
        }

        private void check() {
            assertEquals(oracle.size(), map.size());
            assertTrue(map.bytes() / 2 <= maxBytes);
            try (FlatMap settled = map.settledCopy(memory)) {
                Map<Long, List<Long>> entries = new HashMap<>();
                for (long e = settled.firstEntry(); e != 0; e = settled.nextEntry(e)) {
                    List<Long> words = new ArrayList<>();
                    for (int w = 1; w <= layout.valueWords(); w++) {
                        words.add(Memory.getLong(e + (long) w * Long.BYTES));
                    }
                    entries.put(Memory.getLong(e), words);
                }
                assertEquals(oracle, entries);
                assertEquals(oracle.size(), settled.size());
            }
        }
    }
}
