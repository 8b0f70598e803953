package io.weir.cluster.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.Topics;
import io.weir.cluster.protocol.ActivationId;
import io.weir.cluster.protocol.MergeMessage;
import io.weir.cluster.protocol.WorkerEpoch;
import io.weir.operators.result.Receivers;
import java.util.Optional;
import java.util.Random;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

/** How far the shards are, by what they have told: against four numbers that are written down. */
final class ShardsPassedTest {
    private static final int ROUNDS = 500;
    private static final long SILENT_MS = 10_000;

    private static ConsumerRecord<byte[], byte[]> record(long atMs, byte[] value) {
        return new ConsumerRecord<>(
                Topics.WINDOWS,
                0,
                0,
                atMs,
                TimestampType.CREATE_TIME,
                0,
                0,
                new byte[0],
                value,
                new RecordHeaders(),
                Optional.empty());
    }

    @Test
    void nobodyIsWaitedForWhereNobodyHasTold() {
        ShardsPassed shards = new ShardsPassed(KafkaSettings.SHARDS);
        assertEquals(Long.MAX_VALUE, shards.passedNs());
        shards.told(record(1, new byte[] {1, 2, 3}));
        assertEquals(Long.MAX_VALUE, shards.passedNs());
    }

    @Test
    void theSlowestOfThoseWhoTell() {
        long seed = Long.getLong("weir.seed", 5);
        Random random = new Random(seed);
        int silent = 0;
        for (int round = 0; round < ROUNDS; round++) {
            ShardsPassed shards = new ShardsPassed(KafkaSettings.SHARDS);
            long[] passedNs = new long[KafkaSettings.SHARDS];
            long[] toldMs = new long[KafkaSettings.SHARDS];
            boolean[] mute = new boolean[KafkaSettings.SHARDS];
            long nowMs = 1_000_000;
            for (int told = 0; told < 60; told++) {
                nowMs += random.nextInt(1_000);
                int shard = random.nextInt(KafkaSettings.SHARDS);
                mute[shard] |= random.nextInt(60) == 0;
                WorkerEpoch source = new WorkerEpoch("shard-" + shard, "life");
                if (mute[shard]) {
                    continue;
                }
                if (random.nextInt(4) == 0) {
                    shards.told(record(nowMs, other(source, random)));
                    continue;
                }
                // Back, too: it had heard of all workers' end, and they have come again.
                passedNs[shard] = random.nextInt(8) == 0 ? told : 1_000 + told;
                toldMs[shard] = nowMs;
                MergeMessage passed = new MergeMessage.Passed(source, told, passedNs[shard]);
                shards.told(record(nowMs, MergeMessageCodec.bytes(passed)));
            }
            long newestMs = 0;
            for (long ms : toldMs) {
                newestMs = Math.max(newestMs, ms);
            }
            long expected = Long.MAX_VALUE;
            for (int shard = 0; shard < KafkaSettings.SHARDS; shard++) {
                boolean speaks = toldMs[shard] > 0;
                if (speaks && newestMs - toldMs[shard] <= SILENT_MS) {
                    expected = Math.min(expected, passedNs[shard]);
                } else if (speaks) {
                    silent++;
                }
            }
            assertEquals(expected, shards.passedNs(), "-Dweir.seed=" + seed + ", " + round);
        }
        assertTrue(silent > 0, "nobody fell silent");
    }

    /** What says nothing of the time that has passed. */
    private static byte[] other(WorkerEpoch source, Random random) {
        if (random.nextInt(10) == 0) {
            return null;
        } else if (random.nextBoolean()) {
            byte[] junk = new byte[random.nextInt(40)];
            random.nextBytes(junk);
            return junk;
        }
        ActivationId id = new ActivationId("q", 1, 0, Receivers.ALL);
        return MergeMessageCodec.bytes(new MergeMessage.Ended(source, 1, id, 3));
    }
}
