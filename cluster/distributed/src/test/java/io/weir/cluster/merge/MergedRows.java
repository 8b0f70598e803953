package io.weir.cluster.merge;

import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.TopicTail;
import io.weir.cluster.kafka.Topics;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/** What consumers of a query's results see. */
final class MergedRows {
    private static final long PATIENCE_MS = 120_000;
    private static final int QUIET_POLLS = 4;

    private MergedRows() {}

    /** Its rows, when there are so many and no more come, or when something has failed. */
    static List<String> await(
            KafkaSettings kafka, String query, int count, Collection<?> failures) {
        return records(kafka, query, count, failures).stream()
                .map(record -> new String(record.value(), StandardCharsets.UTF_8))
                .toList();
    }

    static List<ConsumerRecord<byte[], byte[]>> records(
            KafkaSettings kafka, String query, int count, Collection<?> failures) {
        List<ConsumerRecord<byte[], byte[]>> all = new ArrayList<>();
        TopicPartition partition = new TopicPartition(Topics.results(query), 0);
        try (KafkaConsumer<byte[], byte[]> consumer = TopicTail.consumer(kafka, "test")) {
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            long deadline = System.currentTimeMillis() + PATIENCE_MS;
            int quiet = 0;
            while (quiet < QUIET_POLLS
                    && System.currentTimeMillis() < deadline
                    && failures.isEmpty()) {
                List<ConsumerRecord<byte[], byte[]>> records =
                        consumer.poll(Duration.ofMillis(250)).records(partition);
                all.addAll(records);
                quiet = all.size() >= count && records.isEmpty() ? quiet + 1 : 0;
            }
        }
        return all;
    }
}
