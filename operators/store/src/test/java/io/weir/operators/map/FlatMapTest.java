package io.weir.operators.map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.map.EntryLayout.Width;
import io.weir.operators.memory.Memory;
import io.weir.operators.memory.MemoryTag;
import io.weir.operators.memory.NativeAllocator;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Maps of every key width against HashMap, inside a leak check. */
final class FlatMapTest {
    private static final long LIMIT = 1L << 26;
    private static final int KEY = Long.BYTES;
    private static final List<Long> INITIAL = List.of(7L, -1L);

    /** A number of 32 bits, negative as an int. */
    private static final long LARGE = 0xf000_0005L;

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7})
    void agreesWithHashMap(int keyWords) {
        for (long seed = 1; seed <= 6; seed++) {
            Random random = new Random(seed * 31 + keyWords);
            String message = "seed " + seed + ", " + keyWords + " key words";
            try (NativeAllocator allocator = new NativeAllocator(LIMIT);
                    FlatMap map = settled(allocator, keyWords, INITIAL, LIMIT)) {
                for (int round = 0; round < 2; round++) {
                    agree(map, allocator, random, message);
                    map.clear();
                    assertEquals(0, map.size());
                    assertEquals(0, map.firstEntry());
                }
            }
        }
    }

    private static FlatMap settled(
            NativeAllocator allocator, int keyWords, List<Long> initial, long maxBytes) {
        return FlatMaps.create(allocator, EntryLayout.settled(keyWords, initial), maxBytes);
    }

    /** Batches, counts that pass 2^32, entries taken back: as settled, against HashMap. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
    void compactEntriesSettleToWhatWasCounted(int seed) {
        Random random = new Random(seed);
        int keyBits = random.nextBoolean() ? 32 : 64;
        List<Width> widths = new ArrayList<>();
        for (Width narrow : List.of(Width.COUNT, Width.COUNT, Width.COUNT, Width.NUMBER)) {
            widths.add(random.nextBoolean() ? narrow : Width.WHOLE);
        }
        List<Long> initial = List.of(0L, 0L, 0L, LARGE);
        EntryLayout layout = EntryLayout.compact(1, keyBits, initial, widths);
        String message = "seed " + seed + ", " + layout;
        Map<Long, List<Long>> oracle = new HashMap<>();
        try (NativeAllocator allocator = new NativeAllocator(LIMIT)) {
            FlatMap map = FlatMaps.create(allocator, layout, LIMIT);
            Batch keys = new Batch(allocator);
            keys.fit(3 * Long.BYTES);
            for (int batch = 0; batch < 60; batch++) {
                int n = random.nextInt(257);
                int range = 1 << random.nextInt(1, 15);
                for (int i = 0; i < n; i++) {
                    long key = (long) random.nextInt(range) << (random.nextBoolean() ? 18 : 0);
                    Memory.putLong(address(keys, i), key);
                }
                for (int to = random.nextInt(n + 1); to < n; to += 1 + random.nextInt(n)) {
                    map.ahead(keys, KEY, to, 0, 0);
                }
                map.seek(keys, KEY, n);
                List<Integer> others = new ArrayList<>();
                boolean homeFirst = random.nextBoolean();
                for (int i = 0; i < n; i++) {
                    long key = address(keys, i);
                    boolean away = !homeFirst || away(map, key) != 0;
                    long value = map.slot(key, away ? -1 : 0);
                    if (away) {
                        others.add(i);
                        // What is nobody's: it must not be found again.
                        Memory.putInt(value + layout.offset(0), 1);
                    } else {
                        assertTrue(oracle.containsKey(Memory.getLong(key)), message);
                        assertEquals(value, atHome(map, key), message);
                        count(map, layout, value, Memory.getLong(key), random, oracle);
                    }
                }
                for (int i : others) {
                    long key = Memory.getLong(address(keys, i));
                    long value = find(map, address(keys, i));
                    boolean inserted = map.inserted();
                    assertEquals(!oracle.containsKey(key), inserted, message);
                    if (inserted && random.nextInt(4) == 0) {
                        map.remove(value);
                    } else {
                        count(map, layout, value, key, random, oracle);
                    }
                }
            }
            FlatMap filled = map;
            map = filled.settledCopy(allocator);
            if (map != filled) {
                filled.close();
            }
            assertEquals(oracle.size(), map.size(), message);
            Map<Long, List<Long>> entries = new HashMap<>();
            for (long e = map.firstEntry(); e != 0; e = map.nextEntry(e)) {
                List<Long> words = new ArrayList<>();
                for (int word = 1; word <= 3; word++) {
                    words.add(Memory.getLong(e + word * 8L));
                }
                entries.put(Memory.getLong(e), words);
                assertEquals(LARGE, Memory.getLong(e + 32), "a word that does not begin at 0");
            }
            assertEquals(oracle, entries, message);
            map.close();
            keys.close();
        }
    }

    private static void count(
            FlatMap map,
            EntryLayout layout,
            long value,
            long key,
            Random random,
            Map<Long, List<Long>> oracle) {
        long more = random.nextInt() & 0x7fff_ffffL;
        oracle.merge(key, List.of(more, more, more), FlatMapTest::sum);
        for (int word = 0; word < 3; word++) {
            add(map, layout, value, word, more);
        }
    }

    /** The i-th key, at the second of its entry's words. */
    private static long address(Batch keys, int i) {
        return keys.start() + i * 24L + KEY;
    }

    private static long away(FlatMap map, long key) {
        return map instanceof FlatMapInt narrow ? narrow.away(key) : ((FlatMap1) map).away(key);
    }

    private static long atHome(FlatMap map, long key) {
        return map instanceof FlatMapInt narrow ? narrow.atHome(key) : ((FlatMap1) map).atHome(key);
    }

    private static long find(FlatMap map, long key) {
        return map instanceof FlatMapInt narrow ? narrow.find(key) : ((FlatMap1) map).find(key);
    }

    private static List<Long> sum(List<Long> a, List<Long> b) {
        return List.of(a.get(0) + b.get(0), a.get(1) + b.get(1), a.get(2) + b.get(2));
    }

    /** As generated kernels do. */
    private static void add(FlatMap map, EntryLayout layout, long value, int word, long more) {
        long at = value + layout.offset(word);
        if (!layout.isNarrow(word)) {
            Memory.putLong(at, Memory.getLong(at) + more);
            return;
        }
        int sum = (int) (Memory.getInt(at) + more);
        Memory.putInt(at, sum);
        if (sum < 0) {
            assertEquals(0, map.carry());
        }
    }

    private static void agree(
            FlatMap map, NativeAllocator allocator, Random random, String message) {
        int keyWords = map.keyBytes() / Long.BYTES;
        long key = allocator.allocate(map.keyBytes(), MemoryTag.TEST);
        Map<List<Long>, Long> oracle = new HashMap<>();
        int range = 1 << random.nextInt(1, 10);
        int finds = random.nextInt(20_000);
        for (int i = 0; i < finds; i++) {
            List<Long> words = randomKey(random, keyWords, range);
            for (int w = 0; w < keyWords; w++) {
                Memory.putLong(key + w * 8L, words.get(w));
            }
            long value = map.findAt(key);
            assertEquals(!oracle.containsKey(words), map.inserted(), message);
            assertEquals(oracle.getOrDefault(words, 7L), Memory.getLong(value), message);
            assertEquals(-1, Memory.getLong(value + 8), message);
            long sum = oracle.merge(words, 7L + i, (a, b) -> a + i(b));
            Memory.putLong(value, sum);
        }
        assertEquals(oracle, entries(map, keyWords), message);
        assertEquals(oracle.size(), map.size(), message);
        allocator.free(key, map.keyBytes(), MemoryTag.TEST);
    }

    private static long i(long firstSum) {
        return firstSum - 7;
    }

    /** Small words, so that keys repeat and zeros are common; or one of high bits only. */
    private static List<Long> randomKey(Random random, int keyWords, int range) {
        List<Long> words = new ArrayList<>();
        for (int w = 0; w < keyWords; w++) {
            long word = random.nextInt(range);
            words.add(random.nextInt(4) == 0 ? word << 52 : word);
        }
        return words;
    }

    private static Map<List<Long>, Long> entries(FlatMap map, int keyWords) {
        Map<List<Long>, Long> entries = new HashMap<>();
        for (long entry = map.firstEntry(); entry != 0; entry = map.nextEntry(entry)) {
            List<Long> words = new ArrayList<>();
            for (int w = 0; w < keyWords; w++) {
                words.add(Memory.getLong(entry + w * 8L));
            }
            entries.put(words, Memory.getLong(entry + map.keyBytes()));
        }
        return entries;
    }

    @Test
    void theBoundRefusesNewKeysAndKeepsTheOld() {
        try (NativeAllocator allocator = new NativeAllocator(LIMIT)) {
            long maxBytes = 16 * 1024;
            try (FlatMap1 map = (FlatMap1) settled(allocator, 1, List.of(0L), maxBytes)) {
                int refused = 0;
                for (long k = 1; k <= 2000; k++) {
                    long value = map.findAlone(k);
                    if (value == 0) {
                        refused++;
                    } else {
                        Memory.putLong(value, k);
                    }
                }
                assertEquals(2000 - map.size(), refused);
                assertTrue(map.size() >= 400, "size " + map.size());
                assertTrue(map.bytes() <= maxBytes, map.bytes() + " bytes");
                for (long k = 1; k <= 400; k++) {
                    assertEquals(k, Memory.getLong(map.findAlone(k)));
                }
                assertNotEquals(0, map.findAlone(0));
            }
        }
    }

    @Test
    void theAllocatorsLimitIsABoundToo() {
        try (NativeAllocator allocator = new NativeAllocator(16 * 1024);
                FlatMap2 map = (FlatMap2) settled(allocator, 2, List.of(0L, 0L), Long.MAX_VALUE)) {
            int refused = 0;
            for (long k = 1; k <= 2000; k++) {
                refused += map.findAlone(k, -k) == 0 ? 1 : 0;
            }
            assertEquals(2000 - map.size(), refused);
            assertTrue(map.size() > 100, "size " + map.size());
        }
    }

    @Test
    void hashesOfNeighboursSpreadAtBothEnds() {
        int[] low = new int[64];
        int[] high = new int[64];
        for (int address = 0; address < 6400; address++) {
            long hash = Hash.of(0x0A00_0000L + address, 0xC0A8_0001L);
            low[(int) (hash & 63)]++;
            high[Hash.bucket(hash, 64)]++;
        }
        for (int i = 0; i < 64; i++) {
            assertTrue(low[i] > 30 && low[i] < 300, "low " + low[i]);
            assertTrue(high[i] > 30 && high[i] < 300, "high " + high[i]);
        }
    }
}
