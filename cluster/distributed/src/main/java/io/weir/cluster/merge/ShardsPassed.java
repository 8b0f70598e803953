package io.weir.cluster.merge;

import io.weir.cluster.kafka.KafkaCalls;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.TopicTail;
import io.weir.cluster.kafka.Topics;
import io.weir.cluster.protocol.MergeMessage;
import io.weir.operators.error.WeirException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/**
 * Finds the event time up to which all shards of the merge have made their rows. Each shard reports
 * it to the second step, in the transaction of the rows. One thread.
 */
public final class ShardsPassed {
    private static final TopicPartition WINDOWS = new TopicPartition(Topics.WINDOWS, 0);
    private static final Duration POLL = Duration.ofMillis(200);
    private static final int FIRST_LOOK_BACK = 1_000;

    /** A shard that has been silent for so long, while others were not, is ignored. */
    private static final long SILENT_MS = 10_000;

    private record Told(long timeNs, long atMs) {}

    private final Map<String, Told> told = new HashMap<>();

    private final int shards;

    /**
     * @param shards of the cluster
     */
    ShardsPassed(int shards) {
        this.shards = shards;
    }

    /** Returns {@link Long#MAX_VALUE} if no shard has reported. */
    public static long read(KafkaSettings settings) {
        ShardsPassed passed = new ShardsPassed(settings.shards());
        KafkaCalls.run(
                settings,
                "the merge cannot be asked how far it is",
                () -> {
                    try (KafkaConsumer<byte[], byte[]> consumer =
                            TopicTail.consumer(settings, "weir-shards")) {
                        consumer.assign(List.of(WINDOWS));
                        passed.read(consumer);
                    }
                });
        return passed.passedNs();
    }

    /** Returns the least time of the shards that have reported recently. */
    long passedNs() {
        long newestMs = told.values().stream().mapToLong(Told::atMs).max().orElse(0);
        return told.values().stream()
                .filter(shard -> shard.atMs() >= newestMs - SILENT_MS)
                .mapToLong(Told::timeNs)
                .min()
                .orElse(Long.MAX_VALUE);
    }

    private void read(KafkaConsumer<byte[], byte[]> consumer) {
        long begin = consumer.beginningOffsets(List.of(WINDOWS)).get(WINDOWS);
        long end = consumer.endOffsets(List.of(WINDOWS)).get(WINDOWS);
        for (long back = FIRST_LOOK_BACK; ; back *= 4) {
            long from = Math.max(begin, end - back);
            consumer.seek(WINDOWS, from);
            while (consumer.position(WINDOWS) < end) {
                consumer.poll(POLL).records(WINDOWS).forEach(this::told);
            }
            if (from == begin || told.size() == shards) {
                return;
            }
        }
    }

    /** Takes a record; the last one of a shard counts. */
    void told(ConsumerRecord<byte[], byte[]> record) {
        try {
            MergeMessage message = MergeMessageCodec.message(record.value());
            if (message instanceof MergeMessage.Passed passed) {
                told.put(
                        passed.source().worker(),
                        new Told(passed.watermarkNs(), record.timestamp()));
            }
        } catch (WeirException unreadable) {
            return; // the merge counts it
        }
    }
}
