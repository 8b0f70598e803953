package io.weir.cluster.kafka;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/**
 * What readers of committed records see, once all transactions that wrote before now have ended: a
 * commit is answered before the brokers of its records know of it, and they show none until then.
 */
public final class CommittedRecords {
    private static final long PATIENCE_MS = 60_000;

    private CommittedRecords() {}

    /** All of a topic of one partition, in order. */
    public static List<ConsumerRecord<byte[], byte[]>> of(KafkaSettings kafka, String topic) {
        return of(kafka, new TopicPartition(topic, 0));
    }

    /** All of a partition, in order. */
    public static List<ConsumerRecord<byte[], byte[]>> of(
            KafkaSettings kafka, TopicPartition partition) {
        List<TopicPartition> only = List.of(partition);
        List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> written = TopicTail.consumerOfAll(kafka, "test");
                KafkaConsumer<byte[], byte[]> committed = TopicTail.consumer(kafka, "test")) {
            long end = written.endOffsets(only).get(partition);
            committed.assign(only);
            committed.seekToBeginning(only);
            long deadline = System.currentTimeMillis() + PATIENCE_MS;
            while (committed.position(partition) < end) {
                assertTrue(System.currentTimeMillis() < deadline, "a transaction does not end");
                records.addAll(committed.poll(Duration.ofSeconds(1)).records(partition));
            }
        }
        return records;
    }
}
