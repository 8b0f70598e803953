package io.weir.cluster.kafka;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.time.Deadline;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * The topics of a cluster (ADR 0030), with their retention. Missing topics are created, with the
 * brokers' default replication. Existing topics are left as they are, because an administrator may
 * have made them with care.
 */
public final class Topics {
    public static final String CATALOG = "weir.catalog";
    public static final String HEARTBEATS = "weir.heartbeats";
    public static final String OUTBOX = "weir.outbox";
    public static final String PARTIALS = "weir.partials";

    /** Merged windows, on their way to the step that sees all shards. */
    public static final String WINDOWS = "weir.windows";

    public static final String TRIGGERS = "weir.triggers";
    public static final String AUDIT = "weir.audit";

    private static final String RESULTS = "weir.results.";
    private static final String SLICES = "weir.slices.";
    static final long SEEN_EVERY_MS = 20;
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration DAY = Duration.ofDays(1);
    private static final Duration WEEK = Duration.ofDays(7);

    private Topics() {}

    /**
     * Returns the topic of a query's rows. Characters that a topic's name cannot have are written
     * as bytes.
     */
    public static String results(String query) {
        return named(RESULTS, query);
    }

    private static String named(String prefix, String query) {
        StringBuilder name = new StringBuilder(prefix);
        for (byte b : query.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (b & 0xFF);
            if (c < 128 && (Character.isLetterOrDigit(c) || c == '_')) {
                name.append(c);
            } else {
                name.append(String.format("-%02x", b & 0xFF));
            }
        }
        return name.toString();
    }

    /**
     * Creates the missing topics of the cluster itself. Throws KAFKA_UNAVAILABLE if a server lacks
     * a right to read or write one of them, and INVALID_OPTION if the cluster has another number of
     * shards.
     */
    public static void ensure(KafkaSettings settings) {
        ensure(settings, own(settings.shards()));
        KafkaRights.check(settings, KafkaRights.SERVER);
    }

    /** Does the same for the topics that a worker uses. Others may be hidden from it. */
    public static void ensureForWorker(KafkaSettings settings) {
        ensure(settings, ofWorkers(settings.shards()));
        KafkaRights.check(settings, KafkaRights.WORKER);
    }

    private static List<NewTopic> own(int shards) {
        List<NewTopic> topics = new ArrayList<>(ofWorkers(shards));
        topics.add(kept(WINDOWS, 1, Optional.of(DAY)));
        topics.add(kept(AUDIT, 1, Optional.empty()));
        return topics;
    }

    /**
     * The required form of a topic of the cluster itself, whoever made it.
     *
     * @param compacted whether it keeps the latest record of each key; otherwise it must not
     */
    public record Wanted(String name, int partitions, boolean compacted) {}

    /** Returns all topics of a cluster itself that has so many shards. */
    public static List<Wanted> wanted(int shards) {
        return own(shards).stream()
                .map(
                        topic ->
                                new Wanted(
                                        topic.name(),
                                        topic.numPartitions(),
                                        topic.configs()
                                                .containsKey(TopicConfig.CLEANUP_POLICY_CONFIG)))
                .toList();
    }

    private static List<NewTopic> ofWorkers(int shards) {
        return List.of(
                compacted(CATALOG),
                compacted(OUTBOX),
                compacted(TRIGGERS),
                kept(HEARTBEATS, 1, Optional.of(HOUR)),
                kept(PARTIALS, shards, Optional.of(DAY)));
    }

    /** Creates the missing topics of these queries' rows. */
    public static void ensureResults(KafkaSettings settings, Collection<String> queries) {
        ensure(settings, ofResults(queries));
    }

    /** Does the same with an existing client. */
    public static void ensureResults(Admin admin, Collection<String> queries) throws Exception {
        ensure(admin, ofResults(queries));
    }

    private static List<NewTopic> ofResults(Collection<String> queries) {
        return queries.stream().map(query -> kept(results(query), 1, Optional.of(WEEK))).toList();
    }

    /**
     * Creates the topic whose partitions are a replay's slices if it is missing. Returns its name.
     *
     * @param version of the replay: one that was dropped may have had another number of slices
     */
    public static String ensureSlices(
            KafkaSettings settings, String replay, long version, int slices) {
        String name = named(SLICES, replay) + "." + version;
        ensure(settings, List.of(kept(name, slices, Optional.of(DAY))));
        return name;
    }

    private static void ensure(KafkaSettings settings, List<NewTopic> topics) {
        KafkaCalls.run(
                settings,
                "topics cannot be made",
                () -> {
                    try (Admin admin = KafkaCalls.admin(settings, "weir-topics")) {
                        ensure(admin, topics);
                    }
                });
    }

    /** Asks only for these topics: the number of others does not matter. */
    private static void ensure(Admin admin, List<NewTopic> topics) throws Exception {
        List<NewTopic> missing = missing(admin, topics);
        if (!missing.isEmpty()) {
            create(admin, missing);
            awaitSeen(admin, missing);
        }
    }

    private static List<NewTopic> missing(Admin admin, List<NewTopic> topics) throws Exception {
        List<String> names = topics.stream().map(NewTopic::name).toList();
        var described = admin.describeTopics(names).topicNameValues();
        List<NewTopic> missing = new ArrayList<>();
        for (NewTopic topic : topics) {
            try {
                checkShards(topic, KafkaCalls.await(described.get(topic.name())));
            } catch (UnknownTopicOrPartitionException | TopicAuthorizationException e) {
                missing.add(topic); // or hidden, which its creation reports
            }
        }
        return missing;
    }

    /** The cluster's number of shards is that of the topic's partitions. */
    private static void checkShards(NewTopic wanted, TopicDescription there) {
        int shards = there.partitions().size();
        if (wanted.name().equals(PARTIALS) && wanted.numPartitions() != shards) {
            throw new WeirException(
                    ErrorCode.INVALID_OPTION,
                    "this process has --shards "
                            + wanted.numPartitions()
                            + ", and the cluster has "
                            + shards
                            + ": "
                            + PARTIALS
                            + " has so many partitions",
                    "start it with --shards " + shards);
        }
    }

    private static void create(Admin admin, List<NewTopic> missing) throws Exception {
        var created = admin.createTopics(missing).values();
        for (NewTopic topic : missing) {
            try {
                awaitCreated(created.get(topic.name()));
            } catch (AuthorizationException e) {
                throw new AuthorizationException(
                        topic.name()
                                + " is not there, or hidden, and must not be created: "
                                + e.getMessage());
            }
        }
    }

    /** The controller has them. Brokers know them a moment later. */
    private static void awaitSeen(Admin admin, List<NewTopic> created) throws Exception {
        Deadline deadline = Deadline.afterMs(KafkaCalls.TIMEOUT_MS);
        while (!missing(admin, created).isEmpty()) {
            if (deadline.isOver()) {
                throw new TimeoutException();
            }
            Thread.sleep(SEEN_EVERY_MS);
        }
    }

    /** Another process may have been faster. */
    private static void awaitCreated(KafkaFuture<Void> created) throws Exception {
        try {
            KafkaCalls.await(created);
        } catch (TopicExistsException e) {
            return;
        }
    }

    private static NewTopic compacted(String name) {
        return topic(name, 1)
                .configs(
                        Map.of(
                                TopicConfig.CLEANUP_POLICY_CONFIG,
                                TopicConfig.CLEANUP_POLICY_COMPACT));
    }

    /**
     * @param retention empty for ever
     */
    private static NewTopic kept(String name, int partitions, Optional<Duration> retention) {
        String ms = retention.map(time -> Long.toString(time.toMillis())).orElse("-1");
        return topic(name, partitions).configs(Map.of(TopicConfig.RETENTION_MS_CONFIG, ms));
    }

    private static NewTopic topic(String name, int partitions) {
        return new NewTopic(name, Optional.of(partitions), Optional.empty());
    }
}
