package io.weir.cluster.faults;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.TopicTail;
import io.weir.cluster.kafka.Topics;
import io.weir.cluster.kafka.results.ResultHeaders;
import io.weir.operators.ring.ThreadEnd;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/**
 * Reads the results of {@link Queries} like any consumer of committed records. A thread of its own.
 */
final class RowTail implements AutoCloseable {
    private static final long SECOND_NS = 1_000_000_000L;
    private static final Duration POLL = Duration.ofMillis(100);
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final RowLog log;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Thread thread = new Thread(this::run, "weir-faults-rows");
    private final JsonFactory json = new JsonFactory();
    private volatile boolean closed;

    RowTail(KafkaSettings kafka, RowLog log) {
        this.log = log;
        consumer = TopicTail.consumer(kafka, "weir-faults");
    }

    RowTail start() {
        thread.setDaemon(true);
        thread.start();
        return this;
    }

    private void run() {
        List<TopicPartition> topics =
                Queries.read().stream().map(q -> new TopicPartition(Topics.results(q), 0)).toList();
        try (consumer) {
            consumer.assign(topics);
            consumer.seekToBeginning(topics);
            while (!closed) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                    read(record);
                }
            }
        } catch (RuntimeException e) {
            if (!closed) {
                log.wrong("results cannot be read any more: " + e);
            }
        }
    }

    /** Records that do not name their query come from strangers. Consumers must skip them. */
    private void read(ConsumerRecord<byte[], byte[]> record) {
        String query = ResultHeaders.text(record.headers(), ResultHeaders.QUERY);
        String worker = ResultHeaders.text(record.headers(), ResultHeaders.WORKER);
        if (!record.topic().equals(Topics.results(query)) || worker.isEmpty()) {
            return;
        }
        try {
            Instant end =
                    Instant.parse(ResultHeaders.text(record.headers(), ResultHeaders.WINDOW_END));
            Map<String, String> row = row(record.value());
            log.row(
                    query,
                    row.getOrDefault("node_id", ""),
                    worker,
                    end.getEpochSecond() * SECOND_NS + end.getNano(),
                    Flow.of(number(row, "proto"), number(row, "src_port"), number(row, "dst_port")),
                    Long.parseLong(row.get("packets")),
                    Long.parseLong(row.get("bytes")),
                    Double.parseDouble(row.getOrDefault("completeness", "1")),
                    Long.parseLong(row.getOrDefault("packets_lost", "0")),
                    Long.parseLong(row.getOrDefault("packets_missing", "0")));
        } catch (IOException | RuntimeException e) {
            log.wrong("no row of " + query + " at " + record.offset() + ": " + e);
        }
    }

    private static int number(Map<String, String> row, String column) {
        String text = row.get(column);
        return text == null || text.equals("null") ? 0 : Integer.parseInt(text);
    }

    private Map<String, String> row(byte[] value) throws IOException {
        Map<String, String> row = new HashMap<>();
        try (JsonParser parser = json.createParser(value)) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (token.isScalarValue()) {
                    row.put(parser.currentName(), parser.getText());
                }
            }
        }
        return row;
    }

    @Override
    public void close() {
        closed = true;
        ThreadEnd.await(thread, PATIENCE);
    }
}
