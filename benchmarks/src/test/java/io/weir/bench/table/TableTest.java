package io.weir.bench.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.memory.Memory;
import io.weir.operators.memory.NativeAllocator;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Both tables against a HashMap, until they are full. */
class TableTest {
    @ParameterizedTest
    @ValueSource(strings = {"linear", "cuckoo"})
    void isWhatAHashMapIs(String kind) {
        long seed = Long.getLong("weir.seed", 1);
        Random random = new Random(seed);
        for (int round = 0; round < 40; round++) {
            int slotsLog2 = 8 + random.nextInt(6);
            String message = kind + ", seed " + seed + ", round " + round;
            try (NativeAllocator allocator = new NativeAllocator(1 << 24);
                    Table table = Table.of(kind, allocator, slotsLog2)) {
                compare(table, random, 1 << slotsLog2, message);
            }
        }
    }

    private static void compare(Table table, Random random, int slots, String message) {
        Map<Long, Long> expected = new HashMap<>();
        int bits = 1 + random.nextInt(40);
        boolean full = false;
        for (int i = 0; i < slots * 6; i++) {
            long key = 1 + (random.nextLong() & (1L << bits) - 1);
            long value = table.find(key);
            if (value == 0) {
                assertTrue(!expected.containsKey(key), message);
                full = true;
                continue;
            }
            long before = Memory.getLong(value);
            assertEquals(expected.getOrDefault(key, 0L), before, message);
            assertEquals(before * 3, Memory.getLong(value + 8), message);
            Memory.putLong(value, before + key);
            Memory.putLong(value + 8, (before + key) * 3);
            expected.put(key, before + key);
            assertEquals(expected.size(), table.size(), message);
        }
        if (full) {
            double load = expected.size() / (double) slots;
            assertTrue(load > 0.9, message + ": full at " + load);
        }
        expected.forEach(
                (key, sum) -> {
                    long value = table.find(key);
                    assertNotEquals(0, value, message);
                    assertEquals(sum, Memory.getLong(value), message);
                });
    }
}
