package io.weir.cluster.worker;

import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.TopicTail;
import io.weir.cluster.kafka.Topics;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/** What consumers of a query's results see. */
final class ResultRows {
    private static final long PATIENCE_MS = 60_000;

    private ResultRows() {}

    static List<String> all(KafkaSettings kafka, String query) {
        return records(kafka, query).stream()
                .map(record -> new String(record.value(), StandardCharsets.UTF_8))
                .toList();
    }

    static List<Long> versions(KafkaSettings kafka, String query) {
        return records(kafka, query).stream()
                .map(record -> record.headers().lastHeader("version").value())
                .map(value -> Long.parseLong(new String(value, StandardCharsets.UTF_8)))
                .toList();
    }

    static void await(KafkaSettings kafka, String query, Predicate<List<String>> enough)
            throws InterruptedException {
        long deadline = System.currentTimeMillis() + PATIENCE_MS;
        while (!enough.test(all(kafka, query))) {
            if (System.currentTimeMillis() > deadline) {
                throw new AssertionError("not enough rows of " + query);
            }
            Thread.sleep(50);
        }
    }

    private static List<ConsumerRecord<byte[], byte[]>> records(KafkaSettings kafka, String query) {
        TopicPartition topic = new TopicPartition(Topics.results(query), 0);
        List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer = TopicTail.consumer(kafka, "test")) {
            consumer.assign(List.of(topic));
            consumer.seekToBeginning(List.of(topic));
            long end = consumer.endOffsets(List.of(topic)).get(topic);
            while (consumer.position(topic) < end) {
                records.addAll(consumer.poll(Duration.ofSeconds(1)).records(topic));
            }
        }
        return records;
    }
}
