package io.weir.cluster.faults;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.TopicTail;
import io.weir.cluster.kafka.Topics;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;

/**
 * All rows of {@link Queries}, as a consumer of committed records sees them: by query and node
 * (none for merged ones), then by window. A thread of its own reads; the rest is for one other
 * thread.
 */
final class RowLog implements AutoCloseable {
    private static final long SECOND_NS = 1_000_000_000L;
    private static final Duration POLL = Duration.ofMillis(100);
    private static final long LOOK_MS = 20;

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Thread thread = new Thread(this::run, "weir-faults-rows");
    private final JsonFactory json = new JsonFactory();
    private final Map<String, TreeMap<Long, Window>> windows = new HashMap<>();

    /** By query and who wrote it: a node, or a shard. */
    private final Map<String, TreeMap<String, Long>> newest = new HashMap<>();

    private final List<String> wrong = new ArrayList<>();
    private long settledNs = Long.MIN_VALUE;
    private long strangers;
    private volatile boolean closed;

    RowLog(KafkaSettings kafka) {
        consumer = TopicTail.consumer(kafka, "weir-faults");
    }

    RowLog start() {
        thread.setDaemon(true);
        thread.start();
        return this;
    }

    private void run() {
        List<TopicPartition> topics =
                Queries.NAMES.stream().map(q -> new TopicPartition(Topics.results(q), 0)).toList();
        try (consumer) {
            consumer.assign(topics);
            consumer.seekToBeginning(topics);
            while (!closed) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                    read(record);
                }
            }
        } catch (KafkaException e) {
            if (!closed) {
                wrong("results cannot be read any more: " + e);
            }
        }
    }

    private synchronized void wrong(String what) {
        wrong.add(what);
    }

    private synchronized void read(ConsumerRecord<byte[], byte[]> record) {
        String query = text(record, "query");
        String worker = text(record, "worker");
        if (query.isEmpty() || worker.isEmpty()) {
            strangers++;
            return;
        }
        Instant end = Instant.parse(text(record, "window_end"));
        long endNs = end.getEpochSecond() * SECOND_NS + end.getNano();
        try {
            Map<String, String> row = row(record.value());
            String node = row.getOrDefault("node_id", "");
            if (endNs <= settledNs) {
                wrong.add("a row of " + query + " " + node + " " + end + " after the audit");
                return;
            }
            Window window =
                    windows.computeIfAbsent(key(query, node), k -> new TreeMap<>())
                            .computeIfAbsent(endNs, e -> new Window());
            window.row(
                    Flow.of(number(row, "proto"), number(row, "src_port"), number(row, "dst_port")),
                    Long.parseLong(row.get("packets")),
                    Long.parseLong(row.get("bytes")));
            window.completeness(Double.parseDouble(row.getOrDefault("completeness", "1")));
            newest.computeIfAbsent(query, q -> new TreeMap<>()).merge(worker, endNs, Math::max);
        } catch (IOException | NumberFormatException e) {
            wrong.add("no row of " + query + " at " + record.offset() + ": " + e);
        }
    }

    private static String text(ConsumerRecord<byte[], byte[]> record, String name) {
        Header header = record.headers().lastHeader(name);
        return header == null ? "" : new String(header.value(), StandardCharsets.UTF_8);
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

    private static String key(String query, String node) {
        return query + " " + node;
    }

    /** Windows so far. */
    synchronized TreeMap<Long, Window> windows(String query, String node) {
        return new TreeMap<>(windows.getOrDefault(key(query, node), new TreeMap<>()));
    }

    /** End of the newest window that a node or shard has rows of; MIN_VALUE without any. */
    synchronized long newestNs(String query, String worker) {
        return newest.getOrDefault(query, new TreeMap<>()).getOrDefault(worker, Long.MIN_VALUE);
    }

    /** Records that are no results, which others than workers and the merge have written. */
    synchronized long strangers() {
        return strangers;
    }

    /** What was no row, or came when it could not. */
    synchronized List<String> wrong() {
        return List.copyOf(wrong);
    }

    /** Windows up to this end were audited: nothing may come of them, and they are forgotten. */
    synchronized void settle(long endNs) {
        settledNs = endNs;
        windows.values().forEach(all -> all.headMap(endNs, true).clear());
    }

    /** Waits for something; returns the ms that it took, or -1 when it did not come in time. */
    long await(Duration patience, Predicate<RowLog> enough) throws InterruptedException {
        long startedNs = System.nanoTime();
        while (!enough.test(this)) {
            if (System.nanoTime() - startedNs > patience.toNanos()) {
                return -1;
            }
            Thread.sleep(LOOK_MS);
        }
        return (System.nanoTime() - startedNs) / 1_000_000;
    }

    @Override
    public void close() {
        closed = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
