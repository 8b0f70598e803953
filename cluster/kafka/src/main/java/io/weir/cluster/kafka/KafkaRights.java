package io.weir.cluster.kafka;

import io.weir.operators.time.Stopwatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * The rights in Kafka that each part of Weir needs. They are checked before anything begins,
 * because a missing right to write would otherwise show only by missing records. The list of ACLs
 * in docs/CLUSTER.md is the same.
 */
final class KafkaRights {
    private static final Set<AclOperation> READ = Set.of(AclOperation.READ);
    private static final Set<AclOperation> WRITE = Set.of(AclOperation.WRITE);
    private static final Set<AclOperation> BOTH = Set.of(AclOperation.READ, AclOperation.WRITE);

    static final Map<String, Set<AclOperation>> WORKER =
            Map.of(
                    Topics.CATALOG, READ,
                    Topics.OUTBOX, BOTH,
                    Topics.TRIGGERS, BOTH,
                    Topics.HEARTBEATS, WRITE,
                    Topics.PARTIALS, WRITE);

    static final Map<String, Set<AclOperation>> SERVER =
            Map.of(
                    Topics.CATALOG, BOTH,
                    Topics.AUDIT, BOTH,
                    Topics.HEARTBEATS, BOTH,
                    Topics.OUTBOX, BOTH, // for the publisher of the merged rows' wakes
                    Topics.PARTIALS, READ,
                    Topics.WINDOWS, BOTH,
                    Topics.TRIGGERS, WRITE);

    private static final long LONGEST_NS = TimeUnit.MILLISECONDS.toNanos(KafkaCalls.TIMEOUT_MS);

    private KafkaRights() {}

    /**
     * Throws KAFKA_UNAVAILABLE and names the missing rights. Without an authorizer all is allowed.
     */
    static void check(KafkaSettings settings, Map<String, Set<AclOperation>> needed) {
        KafkaCalls.run(
                settings,
                "rights are missing",
                () -> {
                    try (Admin admin = KafkaCalls.admin(settings, "weir-rights")) {
                        check(describe(admin, needed.keySet()), needed);
                    }
                });
    }

    private static Map<String, TopicDescription> describe(Admin admin, Set<String> topics)
            throws Exception {
        DescribeTopicsOptions asking = new DescribeTopicsOptions();
        asking.includeAuthorizedOperations(true);
        Stopwatch waited = Stopwatch.started();
        while (true) {
            try {
                return KafkaCalls.await(admin.describeTopics(topics, asking).allTopicNames());
            } catch (UnknownTopicOrPartitionException e) {
                // With several brokers, the one asked here may learn of a topic later than another.
                if (waited.ns() > LONGEST_NS) {
                    throw e;
                }
                Thread.sleep(Topics.SEEN_EVERY_MS);
            }
        }
    }

    private static void check(
            Map<String, TopicDescription> there, Map<String, Set<AclOperation>> needed) {
        List<String> missing = new ArrayList<>();
        new TreeMap<>(needed)
                .forEach(
                        (topic, operations) -> {
                            Set<AclOperation> allowed = there.get(topic).authorizedOperations();
                            for (AclOperation operation : operations) {
                                if (allowed != null && !allowed.contains(operation)) {
                                    missing.add(operation + " on " + topic);
                                }
                            }
                        });
        if (!missing.isEmpty()) {
            throw new AuthorizationException("this user has no " + String.join(", ", missing));
        }
    }
}
