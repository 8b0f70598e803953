package io.weir.cluster.worker;

import io.weir.cluster.kafka.CommittedRecords;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.Topics;
import io.weir.testing.Await;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** What consumers of a query's results see. */
final class ResultRows {

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

    static void await(KafkaSettings kafka, String query, Predicate<List<String>> enough) {
        Await.until(() -> enough.test(all(kafka, query)), () -> "not enough rows of " + query);
    }

    private static List<ConsumerRecord<byte[], byte[]>> records(KafkaSettings kafka, String query) {
        return CommittedRecords.of(kafka, Topics.results(query));
    }
}
