package io.weir.cluster.kafka.slices;

import io.weir.cluster.kafka.KafkaCalls;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.Topics;
import io.weir.cluster.kafka.catalog.SlicedReplay;
import io.weir.operators.error.WeirException;
import io.weir.operators.ring.ThreadEnd;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * A worker's membership in the group that shares the slices of a replay. It uses Kafka's group
 * protocol over a topic with a partition for each slice and no records. A thread of its own tells
 * the owner. While Kafka is away it waits.
 */
public final class SliceGroup implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(100);
    private static final int SESSION_MS = 6_000;
    private static final int MOST_BETWEEN_POLLS_MS = 30_000;
    private static final long RETRY_MS = 250;

    /** The time to leave the group. The thread has lost all other slices before. */
    private static final Duration CLOSING = Duration.ofSeconds(5);

    private final KafkaSettings settings;
    private final Owner owner;
    private final Consumer<WeirException> failed;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final String topic;
    private final Thread thread;
    private volatile boolean closed;

    /** The owner of slices. The group's thread calls it. */
    public interface Owner {
        /** Is told that it owns these slices from now on. */
        void gained(Set<Integer> slices);

        /**
         * Is told that these slices move to another. They must have stopped when this returns.
         *
         * @param taken whether another may own them already
         */
        void lost(Set<Integer> slices, boolean taken);
    }

    /**
     * @param replay its topic is made if it is missing
     * @param node of this process, for good
     */
    public SliceGroup(
            KafkaSettings settings,
            SlicedReplay replay,
            String node,
            Owner owner,
            Consumer<WeirException> failed) {
        this.settings = settings;
        this.owner = owner;
        this.failed = failed;
        this.topic = Topics.ensureSlices(settings, replay.name(), replay.version(), replay.count());
        Map<String, Object> config = settings.client("weir-slices-" + node);
        config.put(ConsumerConfig.GROUP_ID_CONFIG, topic);
        config.put(
                ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG,
                List.of(SliceAssignor.class.getName()));
        config.put(SliceAssignor.NODE, node);
        config.put(SliceAssignor.LEAST_MEMBERS, replay.leastWorkers());
        config.put(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, SESSION_MS);
        config.put(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, SESSION_MS / 6);
        config.put(ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG, MOST_BETWEEN_POLLS_MS);
        config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "latest");
        config.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        this.consumer =
                new KafkaConsumer<>(
                        config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        this.thread = new Thread(this::run, "weir-slices-" + replay.name());
        thread.setDaemon(true);
    }

    public SliceGroup start() {
        thread.start();
        return this;
    }

    private void run() {
        try {
            consumer.subscribe(List.of(topic), new Told());
            while (!closed) {
                poll();
            }
        } catch (WakeupException e) {
            return; // closed
        } catch (AuthenticationException | AuthorizationException e) {
            failed.accept(KafkaCalls.failure(settings, "slices cannot be shared", e));
        } catch (RuntimeException e) {
            failed.accept(KafkaCalls.failure(settings, "sharing slices", e));
        } finally {
            consumer.close(CloseOptions.timeout(CLOSING));
        }
    }

    private void poll() {
        try {
            consumer.poll(POLL);
        } catch (WakeupException | AuthenticationException | AuthorizationException e) {
            throw e;
        } catch (KafkaException e) {
            try {
                Thread.sleep(RETRY_MS);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                closed = true;
            }
        }
    }

    private final class Told implements ConsumerRebalanceListener {
        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            tell(partitions, owner::gained);
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
            tell(partitions, slices -> owner.lost(slices, false));
        }

        @Override
        public void onPartitionsLost(Collection<TopicPartition> partitions) {
            tell(partitions, slices -> owner.lost(slices, true));
        }

        private void tell(Collection<TopicPartition> partitions, Consumer<Set<Integer>> what) {
            Set<Integer> slices = new TreeSet<>();
            partitions.forEach(partition -> slices.add(partition.partition()));
            if (!slices.isEmpty()) {
                what.accept(slices);
            }
        }
    }

    /** Leaves the group. The owned slices are lost in order. Idempotent. */
    @Override
    public void close() {
        closed = true;
        consumer.wakeup();
        ThreadEnd.await(thread);
    }
}
