package io.weir.operators.map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.memory.Memory;
import io.weir.operators.memory.NativeAllocator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The homes of a batch's keys, which C works out where it is there, are those that Java says. */
final class HomeSlotsTest {
    private static final int KEY = 2 * Long.BYTES;

    private final long seed = Long.getLong("weir.seed", 20261122);

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5})
    void areThoseOfJava(int keyWords) {
        String message = "seed " + seed;
        Random random = new Random(seed + keyWords);
        EntryLayout layout = EntryLayout.settled(keyWords, List.of(0L));
        int splitting = 0;
        try (NativeAllocator allocator = new NativeAllocator(1L << 30);
                FlatMap map = FlatMaps.create(allocator, layout, 1L << 28);
                Batch keys = new Batch(allocator)) {
            keys.fit(KEY + keyWords * Long.BYTES);
            for (int batch = 0; batch < 400; batch++) {
                int n = random.nextInt(Batch.SIZE + 1);
                for (int i = 0; i < n; i++) {
                    for (int w = 0; w < keyWords; w++) {
                        long word = random.nextInt(20) == 0 ? 0 : random.nextLong();
                        Memory.putLong(key(keys, i) + (long) w * Long.BYTES, word);
                    }
                }
                map.ahead(keys, KEY, random.nextInt(n + 1), 0, 0);
                map.seek(keys, KEY, n);
                splitting += map.isSplitting() ? 1 : 0;
                for (int i = 0; i < n; i++) {
                    long home = Memory.getLong(key(keys, i) - Long.BYTES);
                    assertEquals(map.homeOfKeyAt(key(keys, i)), home, message);
                }
                for (int i = 0; i < n; i++) {
                    map.findAt(key(keys, i));
                }
            }
        }
        assertTrue(splitting > 0, message);
    }

    private static long key(Batch keys, int i) {
        return keys.start() + (long) i * keys.entryBytes() + KEY;
    }
}
