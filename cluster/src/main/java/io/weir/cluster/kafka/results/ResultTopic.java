package io.weir.cluster.kafka.results;

import io.weir.cluster.kafka.KafkaCalls;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.TopicTail;
import io.weir.cluster.kafka.Topics;
import io.weir.operators.graph.Operator;
import io.weir.operators.graph.Query;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/** A query's results, to be read: what is committed of them. One thread at a time. */
public final class ResultTopic {
    private static final Duration POLL = Duration.ofMillis(200);
    private static final int FIRST_LOOK_BACK = 2_000;
    private static final int ENOUGH_WINDOWS = 3;

    private final KafkaSettings settings;
    private final String query;
    private final TopicPartition partition;
    private volatile boolean stopped;

    public ResultTopic(KafkaSettings settings, String query) {
        this.settings = settings;
        this.query = query;
        this.partition = new TopicPartition(Topics.results(query), 0);
    }

    /** Ends {@link #tail} soon. Any thread. */
    public void stop() {
        stopped = true;
    }

    /** Passes on all rows from now on, those of a window in a list or several, until stopped. */
    public void tail(Consumer<List<Result>> rows) {
        KafkaCalls.run(
                settings,
                "the results of " + query + " cannot be read",
                () -> {
                    try (KafkaConsumer<byte[], byte[]> consumer = consumer()) {
                        consumer.seekToEnd(List.of(partition));
                        consumer.position(partition);
                        while (!stopped) {
                            windows(results(consumer)).forEach(rows);
                        }
                    }
                });
    }

    /** Passes on all rows that there are now. */
    public void all(Consumer<Result> rows) {
        KafkaCalls.run(
                settings,
                "the results of " + query + " cannot be read",
                () -> {
                    try (KafkaConsumer<byte[], byte[]> consumer = consumer()) {
                        long end = consumer.endOffsets(List.of(partition)).get(partition);
                        consumer.seekToBeginning(List.of(partition));
                        while (consumer.position(partition) < end && !stopped) {
                            results(consumer).forEach(rows);
                        }
                    }
                });
    }

    /**
     * Rows of the last window of a version; of totals without windows, the last of each group.
     * Where several workers write, the window is the newest that any has closed.
     */
    public List<Result> last(Query definition, long version) {
        List<Result> last = new ArrayList<>();
        KafkaCalls.run(
                settings,
                "the results of " + query + " cannot be read",
                () -> {
                    try (KafkaConsumer<byte[], byte[]> consumer = consumer()) {
                        if (isTotals(definition)) {
                            last.addAll(lastOfEachGroup(consumer, version));
                        } else {
                            last.addAll(lastWindow(consumer, version));
                        }
                    }
                });
        return last;
    }

    private static boolean isTotals(Query query) {
        return query.aggregate().filter(aggregate -> aggregate.window().isEmpty()).isPresent()
                && query.scan().stream().equals(Operator.Scan.PACKETS);
    }

    private KafkaConsumer<byte[], byte[]> consumer() {
        KafkaConsumer<byte[], byte[]> consumer =
                TopicTail.consumer(settings, "weir-results-" + query);
        consumer.assign(List.of(partition));
        return consumer;
    }

    private Collection<Result> lastOfEachGroup(
            KafkaConsumer<byte[], byte[]> consumer, long version) {
        Map<String, Result> groups = new LinkedHashMap<>();
        long end = consumer.endOffsets(List.of(partition)).get(partition);
        consumer.seekToBeginning(List.of(partition));
        while (consumer.position(partition) < end && !stopped) {
            results(consumer).stream()
                    .filter(result -> result.version() == version)
                    .forEach(result -> groups.put(result.key(), result));
        }
        return groups.values();
    }

    private List<Result> lastWindow(KafkaConsumer<byte[], byte[]> consumer, long version) {
        long begin = consumer.beginningOffsets(List.of(partition)).get(partition);
        long end = consumer.endOffsets(List.of(partition)).get(partition);
        for (long back = FIRST_LOOK_BACK; ; back *= 4) {
            long from = Math.max(begin, end - back);
            List<Result> read = new ArrayList<>();
            consumer.seek(partition, from);
            while (consumer.position(partition) < end && !stopped) {
                read.addAll(results(consumer));
            }
            read.removeIf(result -> result.version() != version);
            long windows = read.stream().map(Result::windowEndNs).distinct().count();
            if (from == begin || windows >= ENOUGH_WINDOWS || stopped) {
                return newest(read);
            }
        }
    }

    private static List<Result> newest(List<Result> read) {
        OptionalLong newest =
                read.stream().flatMapToLong(result -> result.windowEndNs().stream()).max();
        return read.stream().filter(result -> result.windowEndNs().equals(newest)).toList();
    }

    private List<Result> results(KafkaConsumer<byte[], byte[]> consumer) {
        List<Result> results = new ArrayList<>();
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
            result(record).ifPresent(results::add);
        }
        return results;
    }

    /** What a stranger has written there is passed over. */
    private static Optional<Result> result(ConsumerRecord<byte[], byte[]> record) {
        try {
            return record.value() == null ? Optional.empty() : Optional.of(Result.of(record));
        } catch (IllegalArgumentException | DateTimeParseException e) {
            return Optional.empty();
        }
    }

    /** Neighbours of the same window, together. */
    static List<List<Result>> windows(List<Result> results) {
        List<List<Result>> windows = new ArrayList<>();
        for (Result result : results) {
            List<Result> open = windows.isEmpty() ? null : windows.get(windows.size() - 1);
            if (open == null || !open.get(0).isOfWindow(result)) {
                open = new ArrayList<>();
                windows.add(open);
            }
            open.add(result);
        }
        return windows;
    }
}
