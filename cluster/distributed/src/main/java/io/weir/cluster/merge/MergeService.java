package io.weir.cluster.merge;

import io.weir.cluster.format.RowFormats;
import io.weir.cluster.kafka.KafkaCalls;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.Topics;
import io.weir.cluster.kafka.catalog.CatalogState;
import io.weir.cluster.kafka.catalog.KafkaCatalog;
import io.weir.cluster.kafka.heartbeat.AwaitedWorkers;
import io.weir.cluster.metrics.Meter;
import io.weir.cluster.trigger.TriggerWriter;
import io.weir.operators.account.Stage;
import io.weir.operators.error.WeirException;
import io.weir.operators.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.CloseOptions.GroupMembershipOperation;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An instance of the merge. Several instances share the shards. A new one, or one that replaces
 * another, continues from the stored state. One thread calls {@link #start} and {@link #close}.
 */
public final class MergeService implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(MergeService.class);

    /** The instances' group in Kafka. */
    public static final String APPLICATION = "weir-merge";

    private static final int COMMIT_MS = 100;
    private static final int CACHE_BYTES = 64 << 20;
    private static final int SESSION_MS = 6_000;

    /** An instance learns from the answer to its heartbeat that shards move. */
    private static final int BEAT_MS = 500;

    /** A close takes longer only while Kafka is busy, or away. */
    private static final Duration SOON = Duration.ofSeconds(3);

    private static final Duration ANSWER = Duration.ofSeconds(2);
    static final Duration CLOSING = Duration.ofSeconds(20);

    private final KafkaSettings kafka;
    private final KafkaStreams streams;
    private final AbandonedTransactions left;
    private final TaskTriggers triggers;
    private final Stage told = new Stage("triggers");
    private final MergeMetrics metrics = new MergeMetrics();
    private final StallWatch stalls;
    private boolean closed;

    /**
     * @param workers the workers that it waits for
     * @param failed is told when one of its threads has failed; another takes its place
     */
    public MergeService(
            KafkaSettings kafka,
            MergeSettings settings,
            KafkaCatalog catalog,
            AwaitedWorkers workers,
            Consumer<Throwable> failed) {
        this.kafka = kafka;
        this.stalls = new StallWatch(kafka, metrics, client(settings));
        Topics.ensure(kafka);
        catalog.ensureResults(catalog.names());
        triggers = new TaskTriggers(kafka, settings.instance(), told);
        MergeSources sources = new Sources(kafka, catalog, workers, triggers);
        streams =
                new KafkaStreams(
                        MergeTopology.of(settings, sources, metrics, kafka.shards()),
                        config(kafka, settings),
                        new MergeClients());
        left = new AbandonedTransactions(kafka, client(settings), () -> isMoving(streams.state()));
        streams.setStateListener(
                (now, before) -> {
                    stalls.state(now);
                    if (isMoving(now)) {
                        left.look();
                    }
                });
        streams.setUncaughtExceptionHandler(
                failure -> {
                    makeTopics(catalog);
                    LOG.warn("the merge begins again: {}", failure.toString());
                    failed.accept(failure);
                    return StreamThreadExceptionResponse.REPLACE_THREAD;
                });
    }

    /** The creator of a query has made its topic, but somebody may have deleted it. */
    private static void makeTopics(KafkaCatalog catalog) {
        try {
            catalog.ensureResults(catalog.names());
        } catch (WeirException away) {
            // The sink reports it if Kafka is still away then.
            return;
        }
    }

    private static boolean isMoving(KafkaStreams.State state) {
        return state == KafkaStreams.State.REBALANCING;
    }

    private static String client(MergeSettings settings) {
        return APPLICATION + "-" + settings.instance();
    }

    private record Sources(
            KafkaSettings kafka, KafkaCatalog log, AwaitedWorkers live, TaskTriggers telling)
            implements MergeSources {
        @Override
        public CatalogState catalog() {
            return log.state();
        }

        @Override
        public Map<String, Long> workers() {
            return live.awaited();
        }

        @Override
        public String life(String worker) {
            return live.life(worker);
        }

        @Override
        public Clock clock() {
            return kafka.clock();
        }

        @Override
        public long heardForNs() {
            return live.heardForNs();
        }

        @Override
        public TriggerWriter triggers() {
            return telling.open();
        }

        @Override
        public RowFormats rows() {
            return kafka.rows();
        }
    }

    private static Properties config(KafkaSettings kafka, MergeSettings settings) {
        Properties config = new Properties();
        config.putAll(kafka.client(client(settings)));
        config.put(StreamsConfig.APPLICATION_ID_CONFIG, APPLICATION);
        config.put(StreamsConfig.STATE_DIR_CONFIG, settings.directory().toString());
        config.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
        config.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, COMMIT_MS);
        config.put(StreamsConfig.STATESTORE_CACHE_MAX_BYTES_CONFIG, CACHE_BYTES);
        config.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, 1);
        config.put(StreamsConfig.REPLICATION_FACTOR_CONFIG, -1);
        config.put(
                StreamsConfig.consumerPrefix(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG), SESSION_MS);
        config.put(
                StreamsConfig.consumerPrefix(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG), BEAT_MS);
        config.put(StreamsConfig.producerPrefix(ProducerConfig.LINGER_MS_CONFIG), 0);
        config.put(StreamsConfig.producerPrefix(ProducerConfig.COMPRESSION_TYPE_CONFIG), "lz4");
        return config;
    }

    public MergeService start() {
        left.start();
        stalls.start();
        streams.start();
        return this;
    }

    /** Returns its meter: any thread. */
    public Meter meter() {
        return new MergeMeter(metrics, streams, told, stalls);
    }

    /** Returns the outcome of all messages and triggers: any thread. */
    public List<Stage.Snapshot> account() {
        List<Stage.Snapshot> account = new ArrayList<>(MergeStages.of(metrics));
        account.add(told.snapshot());
        return account;
    }

    /** Returns the parts that stand still now, with the sources that they wait for: any thread. */
    public List<MergeStall> stalls() {
        return stalls.stalls();
    }

    public MergeMetrics metrics() {
        return metrics;
    }

    /**
     * Stops. Waiting windows stay in the store. Other instances get its shards at once, or after
     * its session if Kafka is away. Idempotent.
     */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            left.close();
            stalls.close();
            // A commit on its way would wait a minute for Kafka. Without it, the next owner begins
            // at the commit before.
            if (!hasEnded(SOON) && KafkaCalls.answers(kafka, "weir-merge-end", ANSWER)) {
                var unused = hasEnded(CLOSING.minus(SOON));
            }
            triggers.close();
        }
    }

    private boolean hasEnded(Duration within) {
        // Otherwise other instances wait until its session is over.
        return streams.close(
                CloseOptions.timeout(within)
                        .withGroupMembershipOperation(GroupMembershipOperation.LEAVE_GROUP));
    }
}
