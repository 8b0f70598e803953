package io.weir.cluster.kafka.results;

import io.weir.cluster.kafka.KafkaCalls;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.TopicTail;
import io.weir.cluster.kafka.Topics;
import io.weir.operators.graph.Query;
import io.weir.operators.result.QueryShape;
import io.weir.operators.time.Clock;
import io.weir.operators.time.Deadline;
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

/** Reads the committed rows of a query. One thread at a time. */
public final class ResultTopic {
    private static final Duration POLL = Duration.ofMillis(200);
    private static final int FIRST_LOOK_BACK = 2_000;
    private static final int ENOUGH_WINDOWS = 3;

    /** Longest wait for rows on their way. */
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

    /**
     * Passes on all rows from now on until stopped. Rows of a window come in one list or several.
     */
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

    /** Passes on all existing rows. */
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
     * Returns the rows of the last whole window of a version, as far as its writers have reported;
     * for a keyed table, all its rows. If no window is whole, it waits some time for one, and then
     * takes the newest as it is.
     *
     * @param whole how far the writers are, asked before the rows are read
     */
    public List<Result> last(Query definition, long version, Supplier<CompletenessFrontier> whole) {
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
            Supplier<CompletenessFrontier> whole)
            throws Exception {
        Deadline deadline = Deadline.after(WAIT, Clock.SYSTEM);
        while (true) {
            CompletenessFrontier now = whole.get();
            boolean late = deadline.isOver() || stopped;
            List<Result> all = newestWindows(consumer, end(admin), version, now);
            List<Result> found = now.last(all);
            if (!found.isEmpty() || all.isEmpty() || late) {
                return found.isEmpty() ? CompletenessFrontier.newest(all) : found;
            }
            Thread.sleep(AGAIN_MS);
        }
    }

    /**
     * Includes rows that open transactions hide: rows behind the first record of one can be read
     * when it has ended.
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

    /** Returns the last tick of each maker of the query's rows. */
    private Collection<Result> lastTick(KafkaConsumer<byte[], byte[]> consumer, long version) {
        Map<String, List<Result>> ticks = new HashMap<>();
        String[] makers = {""};
        each(
                consumer,
                version,
                result -> {
                    makers[0] = CompletenessFrontier.makers(result.worker());
                    List<Result> tick =
                            ticks.computeIfAbsent(result.worker(), w -> new ArrayList<>());
                    if (!tick.isEmpty() && !tick.get(0).isOfWindow(result)) {
                        tick.clear();
                    }
                    tick.add(result);
                });
        ticks.keySet().removeIf(maker -> !CompletenessFrontier.makers(maker).equals(makers[0]));
        return ticks.values().stream().flatMap(List::stream).toList();
    }

    /** Passes on each existing row of a version. */
    private void each(KafkaConsumer<byte[], byte[]> consumer, long version, Consumer<Result> rows) {
        long end = consumer.endOffsets(List.of(partition)).get(partition);
        consumer.seekToBeginning(List.of(partition));
        while (consumer.position(partition) < end && !stopped) {
            results(consumer).stream().filter(result -> result.version() == version).forEach(rows);
        }
    }

    /** Returns rows of the last windows, some of them whole if there are such. */
    private List<Result> newestWindows(
            KafkaConsumer<byte[], byte[]> consumer,
            long end,
            long version,
            CompletenessFrontier whole) {
        long begin = consumer.beginningOffsets(List.of(partition)).get(partition);
        for (long back = FIRST_LOOK_BACK; ; back *= 4) {
            long from = Math.max(begin, end - back);
            List<Result> read = new ArrayList<>();
            consumer.seek(partition, from);
            Deadline deadline = Deadline.after(WAIT, Clock.SYSTEM);
            while (consumer.position(partition) < end && !stopped && !deadline.isOver()) {
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

    /** Records of strangers are skipped. */
    static Optional<Result> result(ConsumerRecord<byte[], byte[]> record) {
        try {
            return record.value() == null ? Optional.empty() : Optional.of(Result.of(record));
        } catch (IllegalArgumentException | DateTimeParseException e) {
            return Optional.empty();
        }
    }

    /** Groups neighbours of the same window. */
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
