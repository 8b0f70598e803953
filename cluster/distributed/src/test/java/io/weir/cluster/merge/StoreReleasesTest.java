package io.weir.cluster.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.InvalidProtocolBufferException;
import io.weir.cluster.kafka.Releases;
import io.weir.cluster.protocol.MergeMessage;
import io.weir.cluster.wire.StoredActivation;
import io.weir.cluster.wire.StoredSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.junit.jupiter.api.Test;

/**
 * The merge's tasks move to an instance of another release and back while workers end and begin
 * again: each restores what the other has kept, and rows are those of a merge that goes on.
 */
final class StoreReleasesTest {
    private static final int SHARDS = 2;
    private static final int SECONDS = 4;
    private static final int ROUNDS = 20;
    private static final long FOR_EVER = 1L << 55;

    private final long seed = Long.getLong("weir.seed", 61);
    private final Random random = new Random(seed);
    private int changed;

    private int[] packets(int from, int to) {
        int[] packets = new int[to];
        Arrays.setAll(packets, s -> s < from ? 0 : 1 + random.nextInt(20));
        return packets;
    }

    @Test
    void rowsAreThoseOfAMergeThatGoesOn() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            int[] first = packets(0, SECONDS);
            int[] again = packets(SECONDS, 2 * SECONDS);
            int stops = random.nextInt(SECONDS + 1);
            List<String> expected = rows(first, again, stops, false);
            assertEquals(expected, rows(first, again, stops, true), "-Dweir.seed=" + seed);
            assertEquals(
                    2 * expected.stream().filter(r -> r.startsWith("in")).count(), expected.size());
        }
        assertTrue(changed > ROUNDS, changed + " records");
    }

    private List<String> rows(int[] first, int[] again, int stops, boolean move) throws Exception {
        try (MergeBench merge = new MergeBench(SHARDS, FOR_EVER, Map.of("a", 0L))) {
            List<List<MergeMessage>> life = merge.sent("a", "1", true, first);
            for (int second = 0; second < stops; second++) {
                send(merge, life, second);
            }
            perhapsMove(merge, move);
            send(merge, life, SECONDS);
            perhapsMove(merge, move);
            List<List<MergeMessage>> next = merge.sent("a", "2", true, again);
            send(merge, next, SECONDS + stops - 1);
            perhapsMove(merge, move);
            send(merge, next, 2 * SECONDS);
            return merge.rows().stream().sorted().toList();
        }
    }

    /** All up to a second, each shard as far as the other: what they have heard may be unknown. */
    private static void send(MergeBench merge, List<List<MergeMessage>> messages, int second) {
        for (int s = 0; s <= second; s++) {
            for (int shard = 0; shard < SHARDS; shard++) {
                for (MergeMessage message : MergeBench.take(messages.get(shard), s)) {
                    merge.shard(shard).process(MergeMessageCodec.bytes(message));
                }
            }
        }
    }

    private void perhapsMove(MergeBench merge, boolean move) throws Exception {
        for (int task = 0; move && task <= SHARDS; task++) {
            ProcessorBench bench = task == SHARDS ? merge.second() : merge.shard(task);
            change(bench.store());
            bench.restart();
            bench.tick();
        }
    }

    /** As an earlier release has it, and one that keeps more than this. */
    private void change(KeyValueStore<Bytes, byte[]> store) throws InvalidProtocolBufferException {
        boolean earlier = random.nextBoolean();
        List<KeyValue<Bytes, byte[]>> all = new ArrayList<>();
        try (KeyValueIterator<Bytes, byte[]> entries = store.all()) {
            entries.forEachRemaining(all::add);
        }
        for (KeyValue<Bytes, byte[]> entry : all) {
            byte kind = entry.key.get()[0];
            if (kind == 'a') {
                StoredActivation stored = StoredActivation.parseFrom(entry.value);
                changed += stored.getEnded() ? 1 : 0;
                store.put(
                        entry.key,
                        earlier
                                ? Releases.earlier(stored, "ended", "totals_final", "untold")
                                        .toByteArray()
                                : Releases.later(stored, random).toByteArray());
            } else if (kind == 's') {
                StoredSource stored = StoredSource.parseFrom(entry.value);
                store.put(
                        entry.key,
                        earlier
                                ? Releases.earlier(stored, "heard").toByteArray()
                                : Releases.later(stored, random).toByteArray());
            }
        }
        if (!earlier) {
            byte[] unknown = new byte[1 + random.nextInt(20)];
            random.nextBytes(unknown);
            unknown[0] = 'x';
            store.put(Bytes.wrap(unknown), unknown);
        }
    }
}
