package io.weir.cluster.kafka.results;

import io.weir.cluster.kafka.KafkaCalls;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.TopicTail;
import io.weir.cluster.kafka.Topics;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.ring.ThreadEnd;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.WakeupException;

/**
 * Gives the committed rows of queries to a group whose position Kafka keeps. The rows of each query
 * go to one member, and to another when that is gone. A query that is newer than the group is read
 * from its first row on, an older one from the group's begin. While Kafka is away it waits. A
 * thread of its own calls the {@link Reader}.
 */
public final class ResultFeed implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(200);
    private static final int SESSION_MS = 6_000;
    private static final int ANSWER_MS = 15_000;
    private static final Duration CLOSING = Duration.ofSeconds(5);

    /** The time at the end in which sinks take the rows that were read. */
    private static final Duration GIVING = Duration.ofSeconds(30);

    private static final long AGAIN_MS = 1_000;

    /** The place of a group's begin, as an offset of the catalogue. */
    private static final TopicPartition SINCE = new TopicPartition(Topics.CATALOG, 0);

    /** Takes the rows. */
    public interface Reader {
        /** Returns the names of the wanted queries, with the catalogue's offset of each. */
        Map<String, Long> wanted();

        /** Returns how far the catalogue is read. */
        long catalogOffset();

        /**
         * Is told that rows of a query come from now on.
         *
         * @param end the number that its next row will have
         * @param young whether they come from its first row on: it is newer than the group
         */
        void begins(String query, long end, boolean young);

        /** Takes rows of one window, or of totals, of one writer. */
        void rows(String query, List<Result> rows);

        /**
         * Is told that all of a query's rows before this number were given. The group's position is
         * stored next.
         */
        void reached(String query, long next);

        /**
         * Is told that no rows of a query come any more: it was dropped, or another member has it.
         */
        void ends(String query);

        void note(String trouble);
    }

    private final KafkaSettings settings;
    private final Reader reader;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Thread thread;

    /** The queries that are wanted, or were until a moment ago. */
    private final Map<TopicPartition, String> queries = new HashMap<>();

    private final Set<String> subscribed = new HashSet<>();
    private final Map<TopicPartition, OffsetAndMetadata> due = new HashMap<>();
    private long since = -1;
    private volatile boolean closed;

    public ResultFeed(KafkaSettings settings, String group, Reader reader) {
        this.settings = settings;
        this.reader = reader;
        Map<String, Object> config = settings.client(group);
        config.put(ConsumerConfig.GROUP_ID_CONFIG, group);
        config.put(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, SESSION_MS);
        config.put(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, SESSION_MS / 3);
        config.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, ANSWER_MS);
        config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        config.put(
                ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG,
                "org.apache.kafka.clients.consumer.CooperativeStickyAssignor");
        consumer = TopicTail.consumer(config);
        thread = new Thread(this::run, "weir-feed-" + group);
        thread.setDaemon(true);
    }

    public ResultFeed start() {
        thread.start();
        return this;
    }

    private void run() {
        try {
            while (!closed) {
                turn();
            }
        } catch (WakeupException e) {
            closed = true;
        } finally {
            consumer.close(CloseOptions.timeout(CLOSING));
        }
    }

    private void turn() {
        try {
            subscribe();
            if (subscribed.isEmpty()) {
                Thread.sleep(POLL.toMillis());
                return;
            }
            give(consumer.poll(POLL));
            commit();
        } catch (WakeupException e) {
            throw e;
        } catch (InterruptedException e) {
            closed = true;
        } catch (KafkaException e) {
            again(KafkaCalls.failure(settings, "rows for the sinks cannot be read", e));
        } catch (WeirException e) {
            again(e);
        } catch (RuntimeException e) {
            again(new WeirException(ErrorCode.INTERNAL, "rows for the sinks: " + e));
        }
    }

    /** Kafka may allow later what it refuses now. Rows wait there. */
    private void again(WeirException trouble) {
        reader.note(trouble.getMessage());
        try {
            Thread.sleep(AGAIN_MS);
        } catch (InterruptedException e) {
            closed = true;
        }
    }

    private void subscribe() {
        Set<String> wanted = reader.wanted().keySet();
        if (!wanted.equals(subscribed)) {
            wanted.forEach(
                    query -> queries.put(new TopicPartition(Topics.results(query), 0), query));
            subscribed.clear();
            subscribed.addAll(wanted);
            if (wanted.isEmpty()) {
                consumer.unsubscribe();
            } else {
                List<String> topics = wanted.stream().map(Topics::results).toList();
                consumer.subscribe(topics, new Assigned());
            }
        }
    }

    /** Is told which member has which query, during {@link KafkaConsumer#poll}. */
    private final class Assigned implements ConsumerRebalanceListener {
        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            if (!partitions.isEmpty()) {
                place(Set.copyOf(partitions));
            }
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
            partitions.forEach(this::gone);
        }

        private void gone(TopicPartition partition) {
            due.remove(partition);
            String query = queries.get(partition);
            reader.ends(query);
            if (!subscribed.contains(query)) {
                queries.remove(partition);
            }
        }
    }

    private void place(Set<TopicPartition> partitions) {
        if (since < 0) {
            OffsetAndMetadata kept = consumer.committed(Set.of(SINCE)).get(SINCE);
            since = kept == null ? reader.catalogOffset() : kept.offset();
        }
        Map<TopicPartition, OffsetAndMetadata> taken = consumer.committed(partitions);
        Map<TopicPartition, Long> first = consumer.beginningOffsets(partitions);
        Map<TopicPartition, Long> end = consumer.endOffsets(partitions);
        Map<String, Long> wanted = reader.wanted();
        for (TopicPartition partition : partitions) {
            String query = queries.get(partition);
            long from = first.get(partition);
            OffsetAndMetadata known = taken.get(partition);
            boolean young = wanted.getOrDefault(query, Long.MAX_VALUE) >= since;
            if (known == null && !young) {
                from = end.get(partition);
            } else if (known != null && known.offset() < from) {
                reader.note("rows of " + query + " were deleted in Kafka before they were read");
            } else if (known != null && known.offset() <= end.get(partition)) {
                from = known.offset();
            }
            consumer.seek(partition, from);
            due.put(partition, new OffsetAndMetadata(from));
            reader.begins(query, end.get(partition), known == null && young);
        }
    }

    private void give(ConsumerRecords<byte[], byte[]> records) {
        for (TopicPartition partition : records.partitions()) {
            String query = queries.get(partition);
            List<Result> results = new ArrayList<>();
            for (ConsumerRecord<byte[], byte[]> record : records.records(partition)) {
                ResultTopic.result(record).ifPresent(results::add);
            }
            ResultTopic.windows(results).forEach(window -> reader.rows(query, window));
            long next = consumer.position(partition);
            reader.reached(query, next);
            due.put(partition, new OffsetAndMetadata(next));
        }
    }

    /** A failed commit is made with the next rows, or the rows come again. */
    private void commit() {
        if (!due.isEmpty()) {
            Map<TopicPartition, OffsetAndMetadata> now = new HashMap<>(due);
            now.put(SINCE, new OffsetAndMetadata(since));
            try {
                consumer.commitSync(now);
                due.clear();
            } catch (RebalanceInProgressException e) {
                return; // after the next poll
            }
        }
    }

    /**
     * Ends when the read rows have been given. A sink that hangs is interrupted after some time,
     * and then left alone. Idempotent.
     */
    @Override
    public void close() {
        closed = true;
        if (thread == Thread.currentThread() || ThreadEnd.awaitAtMost(thread, GIVING)) {
            return;
        }
        consumer.wakeup();
        thread.interrupt();
        if (!ThreadEnd.awaitAtMost(thread, CLOSING.plus(CLOSING))) {
            reader.note("a sink hangs: the rows that it was given last may be missing there");
        }
    }
}
