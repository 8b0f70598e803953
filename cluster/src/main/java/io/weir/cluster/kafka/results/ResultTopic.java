package io.weir.cluster.kafka.results;

import io.weir.cluster.kafka.KafkaCalls;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.TopicTail;
import io.weir.cluster.kafka.Topics;
import io.weir.operators.graph.Query;
import io.weir.operators.result.QueryShape;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/** A query's results, to be read: what is committed of them. One thread at a time. */
public final class ResultTopic {
    private static final Duration POLL = Duration.ofMillis(200);
    private static final int FIRST_LOOK_BACK = 2_000;
    private static final int ENOUGH_WINDOWS = 3;

    /** Longest wait for what is on its way. */
    private static final Duration WAIT = Duration.ofSeconds(10);

    private static final long AGAIN_MS = 100;

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
     * Rows of the last window of a version that is whole, as far as its writers have told; of a
     * keyed table, all that it has. While there are only windows that are not whole, it waits a
     * while for one, and then takes the newest as it is.
     *
     * @param whole how far the writers are, asked before the rows are read
     */
    public List<Result> last(Query definition, long version, Supplier<Whole> whole) {
        List<Result> last = new ArrayList<>();
        KafkaCalls.run(
                settings,
                "the results of " + query + " cannot be read",
                () -> {
                    try (KafkaConsumer<byte[], byte[]> consumer = consumer();
                            Admin admin = KafkaCalls.admin(settings, "weir-ends-" + query)) {
                        if (QueryShape.tellsWholeTable(definition)) {
                            last.addAll(lastTick(consumer, version));
                        } else if (definition.isTable()) {
                            last.addAll(lastOfEachGroup(consumer, version));
                        } else {
                            last.addAll(awaitWindow(consumer, admin, version, whole));
                        }
                    }
                });
        return last;
    }

    private List<Result> awaitWindow(
            KafkaConsumer<byte[], byte[]> consumer,
            Admin admin,
            long version,
            Supplier<Whole> whole)
            throws Exception {
        long deadline = System.nanoTime() + WAIT.toNanos();
        while (true) {
            Whole now = whole.get();
            boolean late = System.nanoTime() >= deadline || stopped;
            List<Result> all = newestWindows(consumer, end(admin), version, now);
            List<Result> found = now.last(all);
            if (!found.isEmpty() || all.isEmpty() || late) {
                return found.isEmpty() ? Whole.newest(all) : found;
            }
            Thread.sleep(AGAIN_MS);
        }
    }

    /**
     * Also of what transactions that are open hide: a row that was committed behind the first
     * record of one can be read when that has ended.
     */
    private long end(Admin admin) throws Exception {
        ListOffsetsResult ends = admin.listOffsets(Map.of(partition, OffsetSpec.latest()));
        return KafkaCalls.await(ends.partitionResult(partition)).offset();
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
        each(consumer, version, result -> groups.put(result.key(), result));
        return groups.values();
    }

    /** Of each who makes rows of the query now. */
    private Collection<Result> lastTick(KafkaConsumer<byte[], byte[]> consumer, long version) {
        Map<String, List<Result>> ticks = new HashMap<>();
        String[] makers = {""};
        each(
                consumer,
                version,
                result -> {
                    makers[0] = Whole.makers(result.worker());
                    List<Result> tick =
                            ticks.computeIfAbsent(result.worker(), w -> new ArrayList<>());
                    if (!tick.isEmpty() && !tick.get(0).isOfWindow(result)) {
                        tick.clear();
                    }
                    tick.add(result);
                });
        ticks.keySet().removeIf(maker -> !Whole.makers(maker).equals(makers[0]));
        return ticks.values().stream().flatMap(List::stream).toList();
    }

    /** Each row of a version that there is now. */
    private void each(KafkaConsumer<byte[], byte[]> consumer, long version, Consumer<Result> rows) {
        long end = consumer.endOffsets(List.of(partition)).get(partition);
        consumer.seekToBeginning(List.of(partition));
        while (consumer.position(partition) < end && !stopped) {
            results(consumer).stream().filter(result -> result.version() == version).forEach(rows);
        }
    }

    /** Rows of the last windows, some of them whole if there are such. */
    private List<Result> newestWindows(
            KafkaConsumer<byte[], byte[]> consumer, long end, long version, Whole whole) {
        long begin = consumer.beginningOffsets(List.of(partition)).get(partition);
        for (long back = FIRST_LOOK_BACK; ; back *= 4) {
            long from = Math.max(begin, end - back);
            List<Result> read = new ArrayList<>();
            consumer.seek(partition, from);
            long deadline = System.nanoTime() + WAIT.toNanos();
            while (consumer.position(partition) < end && !stopped && System.nanoTime() < deadline) {
                read.addAll(results(consumer));
            }
            read.removeIf(result -> result.version() != version);
            long windows =
                    read.stream()
                            .filter(whole::isWhole)
                            .map(Result::windowEndNs)
                            .distinct()
                            .count();
            if (from == begin || windows >= ENOUGH_WINDOWS || stopped) {
                return read;
            }
        }
    }

    private List<Result> results(KafkaConsumer<byte[], byte[]> consumer) {
        List<Result> results = new ArrayList<>();
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
            result(record).ifPresent(results::add);
        }
        return results;
    }

    /** What a stranger has written there is passed over. */
    static Optional<Result> result(ConsumerRecord<byte[], byte[]> record) {
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
