package io.weir.operators.map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.map.EntryLayout.Width;
import io.weir.operators.memory.Memory;
import io.weir.operators.memory.MemoryTag;
import io.weir.operators.memory.NativeAllocator;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tables that grow in steps, while keys are found in batches and alone, removed, walked over and
 * settled, and while the memory for it is refused at times: against HashMap. Many keys are at home
 * in a table's last slots, whatever its size, so that they are pushed around to its first.
 */
final class GrowthTest {
    private static final int ROUNDS = 3;
    private static final int KEYS = 60_000;
    private static final int LATE_KEYS = 150;

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 5})
    void agreesWithHashMap(int keyWords) {
        long base = Long.getLong("weir.seed", 1);
        int steps = 0;
        int fours = 0;
        for (long seed = base; seed < base + ROUNDS; seed++) {
            try (NativeAllocator memory = new NativeAllocator(24 << 20)) {
                // The first two have all keys, and memory for them.
                Random random = new Random(seed * 31 + keyWords);
                boolean claims = seed == base || seed > base + 1 && random.nextBoolean();
                Round round = new Round(keyWords, random, memory, claims);
                round.run(seed <= base + 1);
                steps += round.steps;
                fours += round.fours;
            } catch (Throwable failure) {
                throw new AssertionError("-Dweir.seed=" + seed, failure);
            }
        }
        assertTrue(fours > 0 && fours < steps, "in steps: " + steps + ", by four: " + fours);
    }

    private static final class Round {
        private final Random random;
        private final NativeAllocator memory;
        private final EntryLayout layout;
        private final FlatMap map;
        private final Batch batch;
        private final int keyWords;
        private final long[][] keys = new long[KEYS][];
        private final Map<List<Long>, Long> oracle = new HashMap<>();
        private long held;
        private long heldBytes;
        private int steps;
        private int fours;

        /** Whether keys claim homes: only tables that know of new keys grow by four. */
        private final boolean claims;

        private int refused;
        private int claimed;

        /**
         * @param width of keys in words; 0 for keys of four bytes
         */
        Round(int width, Random random, NativeAllocator memory, boolean claims) {
            this.claims = claims;
            this.random = random;
            this.memory = memory;
            keyWords = Math.max(1, width);
            List<Long> initial = Collections.nCopies(1 + 2 * random.nextInt(2), 0L);
            List<Width> widths = new ArrayList<>(Collections.nCopies(initial.size(), Width.WHOLE));
            boolean counts = width < 2 && random.nextBoolean() || width == 0;
            widths.set(0, counts ? Width.COUNT : Width.WHOLE);
            layout =
                    width < 2
                            ? EntryLayout.compact(1, width == 0 ? 32 : 64, initial, widths)
                            : EntryLayout.settled(width, initial);
            map = FlatMaps.create(memory, layout, Long.MAX_VALUE);
            batch = new Batch(memory);
            batch.fit((1 + keyWords) * Long.BYTES);
            for (int k = 1; k < KEYS; k++) {
                keys[k] = key(k < LATE_KEYS);
            }
            keys[0] = new long[keyWords];
        }

        /** Random; or one that is at home in the last slots of tables of all sizes. */
        private long[] key(boolean late) {
            int bits = layout.keyBytes() == Integer.BYTES ? 32 : 64;
            int most = late ? random.nextInt(1, 8) : Integer.MAX_VALUE;
            long[] key = new long[keyWords];
            long home;
            do {
                for (int w = 0; w < keyWords; w++) {
                    key[w] = random.nextLong() >>> Long.SIZE - bits;
                }
                if (late && keyWords == 1 && bits == 64) {
                    // The hash's multiplication, undone.
                    long product = (-1L - random.nextInt(most)) << 32;
                    key[0] = product * inverse(0x9E37_79B9_7F4A_7C15L);
                }
                home = ~home(key) & 0xfff;
            } while (home >= most);
            return key;
        }

        private static long inverse(long odd) {
            long inverse = odd;
            for (int i = 0; i < 6; i++) {
                inverse *= 2 - odd * inverse;
            }
            return inverse;
        }

        private static long home(long[] key) {
            if (key.length == 1) {
                return Hash.spread(key[0]);
            }
            long hash = Hash.of(key[0]);
            for (int w = 1; w < key.length; w++) {
                hash = Hash.mix(hash, key[w]);
            }
            return hash;
        }

        void run(boolean all) {
            for (int lives = 1 + random.nextInt(2); lives > 0; lives--) {
                live(all ? KEYS : 1 + random.nextInt(KEYS), all ? 1000 : random.nextInt(1000));
                map.clear();
                oracle.clear();
            }
            release();
            batch.close();
            map.close();
            assertTrue(
                    !all || !claims || keyWords > 2 || claimed > KEYS / 8, "claimed: " + claimed);
        }

        private void live(int range, int batches) {
            for (int b = 0; b < batches; b++) {
                steps += map.isSplitting() ? 1 : 0;
                fours += map.slots() == 4 * map.oldSlots() ? 1 : 0;
                switch (random.nextInt(12)) {
                    case 0 -> alone(range);
                    case 1 -> {
                        if (range < KEYS) {
                            hold();
                        }
                    }
                    case 2 -> release();
                    case 3 -> {
                        if (b % 16 == 0) {
                            check(map);
                        }
                    }
                    default -> batch(range);
                }
                assertEquals(map.bytes(), memory.usedBytes(MemoryTag.MAP));
            }
            check(map);
            settle();
        }

        private long[] anyKey(int range) {
            return keys[random.nextInt(8) == 0 ? random.nextInt(LATE_KEYS) : random.nextInt(range)];
        }

        private void alone(int range) {
            for (int i = random.nextInt(20); i > 0; i--) {
                long[] key = anyKey(range);
                write(key, batch.start());
                found(key, map.findAt(batch.start()));
            }
        }

        private void batch(int range) {
            int n = random.nextInt(1 + Batch.SIZE);
            List<long[]> wanted = new ArrayList<>();
            for (int i = 0; i < n; i++) {
                wanted.add(anyKey(range));
                write(wanted.get(i), address(i));
            }
            for (int to = random.nextInt(n + 1); to < n; to += 1 + random.nextInt(n)) {
                map.ahead(batch, Long.BYTES, to, 0, 0);
            }
            boolean room = random.nextBoolean() && map.makeRoom(n);
            map.seek(batch, Long.BYTES, n);
            if (claims && random.nextBoolean()) {
                claim(wanted);
            }
            int before = refused;
            for (int i = 0; i < n; i++) {
                found(wanted.get(i), find(address(i)));
            }
            assertTrue(!room || refused == before, "refused where there was room");
        }

        /** Each key that is listed is new, and where it belongs. */
        private void claim(List<long[]> wanted) {
            int size = map.size();
            long end = map.claim(batch, Long.BYTES, wanted.size());
            for (long at = batch.made(); at < end; at += Long.BYTES) {
                long entry = Memory.getLong(at);
                int i = (int) (entry - batch.start()) / batch.entryBytes();
                assertEquals(null, oracle.put(words(wanted.get(i)), 0L));
                claimed++;
            }
            assertEquals(end - batch.made(), (map.size() - size) * (long) Long.BYTES);
        }

        private long address(int i) {
            return batch.start() + (long) i * batch.entryBytes() + Long.BYTES;
        }

        private void found(long[] key, long value) {
            List<Long> words = words(key);
            Long known = oracle.get(words);
            if (value == 0) {
                refused++;
                assertEquals(null, known);
                assertEquals(map.fullAt(), map.size());
                return;
            }
            assertEquals(known == null, map.inserted());
            assertEquals(known == null ? 0 : known, value(layout, value));
            if (known == null && random.nextInt(5) == 0) {
                // What was pushed behind it moves up, in the middle of a batch.
                oracle.remove(words);
                map.remove(value);
            } else {
                long sum = oracle.merge(words, 1L + random.nextInt(1000), Long::sum);
                if (layout.isNarrow(0)) {
                    Memory.putInt(value + layout.offset(0), (int) sum);
                } else {
                    Memory.putLong(value + layout.offset(0), sum);
                }
            }
        }

        private static long value(EntryLayout layout, long value) {
            long at = value + layout.offset(0);
            return layout.isNarrow(0) ? Memory.getInt(at) & 0xffff_ffffL : Memory.getLong(at);
        }

        private void hold() {
            if (held == 0) {
                heldBytes = 1L + random.nextInt(24 << 20);
                held = memory.tryAllocate(heldBytes, MemoryTag.TEST);
            }
        }

        private void release() {
            memory.free(held, heldBytes, MemoryTag.TEST);
            held = 0;
        }

        private void settle() {
            release();
            FlatMap whole = map.settledCopy(memory);
            if (whole != map && whole != null) {
                check(whole);
                check(map);
                whole.close();
            }
        }

        private void check(FlatMap entries) {
            assertEquals(oracle.size(), entries.size());
            EntryLayout form = entries == map ? layout : layout.toSettled();
            int seen = 0;
            for (long e = entries.firstEntry(); e != 0; e = entries.nextEntry(e), seen++) {
                List<Long> words = new ArrayList<>();
                for (int w = 0; w < keyWords; w++) {
                    words.add(
                            entries.keyBytes == Integer.BYTES
                                    ? Memory.getInt(e) & 0xffff_ffffL
                                    : Memory.getLong(e + (long) w * Long.BYTES));
                }
                assertEquals(oracle.get(words), value(form, e + entries.keyBytes()));
            }
            assertEquals(oracle.size(), seen);
        }

        private static List<Long> words(long[] key) {
            List<Long> words = new ArrayList<>();
            for (long word : key) {
                words.add(word);
            }
            return words;
        }

        private static void write(long[] key, long to) {
            for (int w = 0; w < key.length; w++) {
                Memory.putLong(to + (long) w * Long.BYTES, key[w]);
            }
        }

        private long find(long key) {
            if (map instanceof FlatMapInt narrow) {
                return narrow.find(key);
            } else if (map instanceof FlatMap1 one) {
                return one.find(key);
            } else if (map instanceof FlatMap2 two) {
                return two.find(key);
            }
            return ((FlatMapN) map).find(key);
        }
    }
}
