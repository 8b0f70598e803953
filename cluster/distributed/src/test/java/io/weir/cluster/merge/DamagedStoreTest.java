package io.weir.cluster.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.protocol.MergeMessage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.junit.jupiter.api.Test;

/**
 * Records of a task's store have come to harm when it is started anew: they are passed over and
 * counted, and the merge goes on. Of windows that waited it is known, and said, that they lack
 * something.
 */
final class DamagedStoreTest {
    private static final int ROUNDS = 25;
    private static final int SHARDS = 2;
    private static final int SECONDS = 8;
    private static final long FOR_EVER = 1L << 55;
    private static final Map<String, Long> BOTH = Map.of("a", 0L, "b", 0L);

    private static final String MORE =
            "CREATE QUERY per_host AS SELECT src_addr, COUNT(*) AS n, window_end FROM packets"
                    + " GROUP BY TUMBLE(ts, INTERVAL '1' SECOND), src_addr"
                    + " ORDER BY n DESC, src_addr;"
                    + "CREATE QUERY long AS SELECT SUM(n) AS n FROM per_host"
                    + " GROUP BY TUMBLE(window_end, INTERVAL '20' SECOND);"
                    + "CREATE QUERY totals AS SELECT src_addr, COUNT(*) AS n, packets_lost"
                    + " FROM packets GROUP BY src_addr;"
                    + "CREATE QUERY woken AS SELECT COUNT(*) AS n FROM packets"
                    + " GROUP BY TUMBLE(ts, INTERVAL '1' SECOND)"
                    + " WHEN per_host.n >= 1 FOR INTERVAL '2' SECOND;";

    private final long seed = Long.getLong("weir.seed", 83);
    private final Random random = new Random(seed);

    private int[] packets() {
        int[] packets = new int[SECONDS];
        Arrays.setAll(packets, s -> 1 + random.nextInt(9));
        return packets;
    }

    private static void send(MergeBench merge, List<List<MergeMessage>> messages, int second) {
        for (int shard = 0; shard < SHARDS; shard++) {
            for (MergeMessage message : MergeBench.take(messages.get(shard), second)) {
                merge.shard(shard).process(MergeMessageCodec.bytes(message));
            }
        }
    }

    private static List<Bytes> keys(KeyValueStore<Bytes, byte[]> store, char kind) {
        List<Bytes> keys = new ArrayList<>();
        try (KeyValueIterator<Bytes, byte[]> all = store.all()) {
            all.forEachRemaining(entry -> keys.add(entry.key));
        }
        keys.removeIf(key -> kind != 0 && key.get()[0] != kind);
        return keys;
    }

    private byte[] noise(int most) {
        byte[] noise = new byte[random.nextInt(most + 1)];
        random.nextBytes(noise);
        return noise;
    }

    /** Of one of two workers, each time a part of a window that waits for the other. */
    @Test
    void whatAWindowLacksItSays() {
        int lacking = 0;
        for (int round = 0; round < ROUNDS; round++) {
            int[] a = packets();
            int[] b = packets();
            int damaged = 1 + random.nextInt(SECONDS - 2);
            try (MergeBench merge = new MergeBench(SHARDS, FOR_EVER, BOTH)) {
                play(merge, a, b, damaged);
                Map<Integer, MergeBench.Told> windows = merge.windows(MergeBench.AFTER_SHARDS);
                String about = windows + ", damaged " + damaged + ", -Dweir.seed=" + seed;
                for (int second = 0; second < SECONDS; second++) {
                    MergeBench.Told told = windows.get(second);
                    long all = (long) a[second] + b[second];
                    assertTrue(told != null && told.packets <= all, about);
                    assertTrue(told.packets == all || told.completeness < 1, about);
                    assertTrue(second == damaged || told.completeness == 1, about);
                    lacking += told.packets < all ? 1 : 0;
                }
            }
        }
        assertTrue(lacking > ROUNDS / 8, lacking + " windows lack something");
    }

    private void play(MergeBench merge, int[] a, int[] b, int damaged) {
        List<List<MergeMessage>> steady = merge.sent("a", a);
        List<List<MergeMessage>> other = merge.sent("b", b);
        for (int second = 0; second < SECONDS; second++) {
            send(merge, steady, second);
            if (second == damaged) {
                ProcessorBench shard = merge.shard(random.nextInt(SHARDS));
                List<Bytes> waiting = keys(shard.store(), 'w');
                shard.store().put(waiting.get(random.nextInt(waiting.size())), noise(60));
                shard.restart();
                assertEquals(1, shard.counts().keptUnread().get(), "-Dweir.seed=" + seed);
            }
            send(merge, other, second);
        }
        send(merge, steady, SECONDS);
        send(merge, other, SECONDS);
    }

    /** Whatever record it is, and whatever has become of it: no start fails, and rows come. */
    @Test
    void nothingInAStoreStopsTheMerge() {
        long unread = 0;
        for (int round = 0; round < ROUNDS; round++) {
            try (MergeBench merge = new MergeBench(SHARDS, FOR_EVER, BOTH, MORE)) {
                List<List<MergeMessage>> a = merge.sent("a", packets());
                List<List<MergeMessage>> b = merge.sent("b", packets());
                for (int second = 0; second < SECONDS; second++) {
                    send(merge, a, second);
                    int task = random.nextInt(SHARDS + 1);
                    ProcessorBench bench = task == SHARDS ? merge.second() : merge.shard(task);
                    damage(bench.store());
                    bench.restart();
                    bench.tick();
                    unread += bench.counts().keptUnread().get();
                    send(merge, b, second);
                }
                send(merge, a, SECONDS);
                send(merge, b, SECONDS);
                Map<Integer, MergeBench.Told> windows = merge.windows(MergeBench.AFTER_SHARDS);
                assertTrue(windows.containsKey(SECONDS - 1), "-Dweir.seed=" + seed);
            }
        }
        assertTrue(unread > 2 * ROUNDS, unread + " records");
    }

    private void damage(KeyValueStore<Bytes, byte[]> store) {
        List<Bytes> keys = keys(store, (char) 0);
        Bytes key = keys.get(random.nextInt(keys.size()));
        byte[] value = store.get(key);
        switch (random.nextInt(4)) {
            case 0 -> store.put(key, noise(60));
            case 1 -> store.put(key, new byte[0]);
            case 2 -> store.put(Bytes.wrap(noise(40)), value);
            default -> {
                // Of its key not all is left.
                byte[] kept = Arrays.copyOf(key.get(), random.nextInt(key.get().length));
                store.delete(key);
                store.put(Bytes.wrap(kept), value);
            }
        }
    }

    @Test
    void openWindowsOfAReaderWhoseRowsCannotBeReadAreTold() {
        try (MergeBench merge = new MergeBench(SHARDS, FOR_EVER, BOTH, MORE)) {
            List<List<MergeMessage>> a = merge.sent("a", packets());
            List<List<MergeMessage>> b = merge.sent("b", packets());
            send(merge, a, 3);
            send(merge, b, 3);
            KeyValueStore<Bytes, byte[]> store = merge.second().store();
            List<Bytes> readers = keys(store, 't');
            readers.removeIf(key -> key.get()[1] != 1);
            Bytes rows =
                    readers.stream()
                            .max((one, other) -> one.get().length - other.get().length)
                            .orElseThrow();
            store.put(rows, new byte[] {-1});
            merge.second().restart();
            assertEquals(1, merge.second().counts().keptUnread().get());
            assertEquals("long", merge.second().counts().lastForgotten());
            send(merge, a, SECONDS);
            send(merge, b, SECONDS);
            assertTrue(
                    merge.rows().stream()
                            .anyMatch(
                                    r -> r.startsWith("long: ") && r.endsWith("completeness 0.0")),
                    merge.rows().toString());
        }
    }

    @Test
    void aConditionThatCannotBeReadBeginsAnew() {
        try (MergeBench merge = new MergeBench(SHARDS, FOR_EVER, BOTH, MORE)) {
            List<List<MergeMessage>> a = merge.sent("a", packets());
            send(merge, a, 3);
            List<List<MergeMessage>> b = merge.sent("b", packets());
            send(merge, b, 3);
            KeyValueStore<Bytes, byte[]> store = merge.second().store();
            List<Bytes> conditions = keys(store, 't');
            conditions.removeIf(key -> key.get()[1] != 'w');
            assertEquals(1, conditions.size());
            for (byte[] kept : List.of(new byte[0], new byte[] {1, 2, 3}, noise(16))) {
                store.put(conditions.get(0), kept);
                merge.second().restart();
                assertEquals("the condition of woken", merge.second().counts().lastUnreadable());
            }
        }
    }
}
