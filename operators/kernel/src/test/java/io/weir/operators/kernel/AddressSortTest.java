package io.weir.operators.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.operators.memory.Memory;
import io.weir.operators.memory.MemoryTag;
import io.weir.operators.memory.NativeAllocator;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Sorts of addresses are those of lists: whole, by keys, and of the first few. */
class AddressSortTest {
    private static final int WORDS = 3;
    private static final int BYTES = WORDS * Long.BYTES;
    private static final int MOST = 3000;

    @Test
    void addressesAreSortedAsLists() {
        long seed = Long.getLong("weir.seed", 1);
        Random random = new Random(seed);
        try (NativeAllocator allocator = new NativeAllocator(1 << 20)) {
            long memory = allocator.allocate(MOST * BYTES, MemoryTag.TEST);
            for (int round = 0; round < 300; round++) {
                String at = "-Dweir.seed=" + seed + ", round " + round;
                List<Long> all = fill(random, memory, random.nextInt(MOST));
                KeyOrder order = new KeyOrder(1 + random.nextInt(WORDS), List.of());
                Comparator<Long> same = (left, right) -> order.compare(left, right);
                List<Long> sorted = all.stream().sorted(same).toList();
                Addresses byKey = addresses(all);
                byKey.sortByKeys(order);
                assertEquals(sorted, list(byKey), at);
                long most = random.nextInt(4) == 0 ? Long.MAX_VALUE : random.nextInt(MOST);
                Addresses first = addresses(all);
                first.sort((left, right) -> order.compare(left, right), most);
                assertEquals(sorted.stream().limit(most).toList(), list(first), at);
            }
            allocator.free(memory, MOST * BYTES, MemoryTag.TEST);
        }
    }

    /** Keys of few or many different bits; some are equal. */
    private static List<Long> fill(Random random, long memory, int count) {
        long mask = random.nextBoolean() ? -1L : 7L << random.nextInt(62);
        List<Long> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            long at = memory + (long) i * BYTES;
            for (int w = 0; w < WORDS; w++) {
                Memory.putLong(at + (long) w * Long.BYTES, random.nextLong() & mask);
            }
            all.add(at);
        }
        return all;
    }

    private static Addresses addresses(List<Long> all) {
        Addresses addresses = new Addresses();
        all.forEach(addresses::add);
        return addresses;
    }

    private static List<Long> list(Addresses addresses) {
        List<Long> list = new ArrayList<>();
        for (int i = 0; i < addresses.count(); i++) {
            list.add(addresses.at(i));
        }
        return list;
    }
}
