package io.weir.cluster.kafka.inspect;

import io.weir.cluster.kafka.KafkaCalls;
import io.weir.cluster.kafka.KafkaSettings;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.GroupIdNotFoundException;

/**
 * Looks at Kafka and changes nothing. Each question waits for seconds at most, and fails with
 * Kafka's words. One thread.
 */
public final class Inspection implements AutoCloseable {
    /** The brokers' setting of {@link #cleanupMs}. */
    public static final String CLEANUP =
            "transaction.abort.timed.out.transaction.cleanup.interval.ms";

    private static final int REQUEST_MS = 4_000;
    private static final int CALL_MS = 8_000;

    private final KafkaSettings settings;
    private final Admin admin;

    public Inspection(KafkaSettings settings) {
        this.settings = settings;
        Map<String, Object> config = settings.client("weir-doctor");
        config.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, REQUEST_MS);
        config.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, CALL_MS);
        this.admin = Admin.create(config);
    }

    private interface Question<T> {
        T ask() throws Exception;
    }

    private <T> T ask(String failed, Question<T> question) {
        Map<String, T> answer = new HashMap<>();
        KafkaCalls.run(settings, failed, () -> answer.put("", question.ask()));
        return answer.get("");
    }

    /** Returns the number of brokers of the cluster. */
    public int brokers() {
        return ask(
                "the brokers do not answer",
                () -> KafkaCalls.await(admin.describeCluster().nodes()).size());
    }

    /**
     * Returns the longest interval, over all brokers, between two searches for transactions to
     * abort. It is empty if this user may not read their settings.
     */
    public OptionalLong cleanupMs() {
        return ask(
                "the brokers' settings cannot be described",
                () -> {
                    List<ConfigResource> brokers =
                            KafkaCalls.await(admin.describeCluster().nodes()).stream()
                                    .map(node -> broker(node.idString()))
                                    .toList();
                    try {
                        return KafkaCalls.await(admin.describeConfigs(brokers).all())
                                .values()
                                .stream()
                                .mapToLong(config -> Long.parseLong(value(config, CLEANUP)))
                                .max();
                    } catch (ClusterAuthorizationException refused) {
                        return OptionalLong.empty();
                    }
                });
    }

    private static ConfigResource broker(String id) {
        return new ConfigResource(ConfigResource.Type.BROKER, id);
    }

    /** Returns the topics that exist, of these, by name. */
    public Map<String, TopicLook> topics(Set<String> names) {
        return ask(
                "topics cannot be described",
                () -> {
                    Set<String> there =
                            KafkaCalls.await(admin.listTopics().names()).stream()
                                    .filter(names::contains)
                                    .collect(Collectors.toSet());
                    List<ConfigResource> resources =
                            there.stream()
                                    .map(n -> new ConfigResource(ConfigResource.Type.TOPIC, n))
                                    .toList();
                    Map<ConfigResource, Config> configs =
                            KafkaCalls.await(admin.describeConfigs(resources).all());
                    Map<String, TopicLook> looks = new TreeMap<>();
                    KafkaCalls.await(admin.describeTopics(there).allTopicNames())
                            .forEach(
                                    (name, topic) ->
                                            looks.put(
                                                    name,
                                                    look(
                                                            topic,
                                                            configs.get(
                                                                    new ConfigResource(
                                                                            ConfigResource.Type
                                                                                    .TOPIC,
                                                                            name)))));
                    return looks;
                });
    }

    private static TopicLook look(TopicDescription topic, Config config) {
        int inStep = Integer.parseInt(value(config, TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG));
        int leaderless = 0;
        int behind = 0;
        int replicas = Integer.MAX_VALUE;
        for (TopicPartitionInfo partition : topic.partitions()) {
            leaderless += partition.leader() == null || partition.leader().isEmpty() ? 1 : 0;
            behind += partition.isr().size() < inStep ? 1 : 0;
            replicas = Math.min(replicas, partition.replicas().size());
        }
        return new TopicLook(
                topic.name(),
                topic.partitions().size(),
                leaderless,
                behind,
                replicas,
                value(config, TopicConfig.CLEANUP_POLICY_CONFIG).contains("compact"),
                Long.parseLong(value(config, TopicConfig.RETENTION_MS_CONFIG)));
    }

    private static String value(Config config, String key) {
        return config.get(key).value();
    }

    /**
     * Returns the ends of topics of one partition, which count records and ends of transactions.
     */
    public Map<String, Long> ends(Set<String> topics) {
        return ask(
                "ends of topics cannot be read",
                () -> {
                    Map<TopicPartition, OffsetSpec> latest = new HashMap<>();
                    topics.forEach(t -> latest.put(new TopicPartition(t, 0), OffsetSpec.latest()));
                    Map<String, Long> ends = new TreeMap<>();
                    KafkaCalls.await(admin.listOffsets(latest).all())
                            .forEach((topic, end) -> ends.put(topic.topic(), end.offset()));
                    return ends;
                });
    }

    /** Returns the bytes of each topic on the brokers' disks, all copies together. */
    public Map<String, Long> bytes() {
        return ask(
                "the brokers' logs cannot be described",
                () -> {
                    List<Integer> ids =
                            KafkaCalls.await(admin.describeCluster().nodes()).stream()
                                    .map(node -> node.id())
                                    .toList();
                    Map<String, Long> bytes = new TreeMap<>();
                    KafkaCalls.await(admin.describeLogDirs(ids).allDescriptions()).values().stream()
                            .flatMap(logs -> logs.values().stream())
                            .flatMap(log -> log.replicaInfos().entrySet().stream())
                            .forEach(
                                    copy ->
                                            bytes.merge(
                                                    copy.getKey().topic(),
                                                    copy.getValue().size(),
                                                    Long::sum));
                    return bytes;
                });
    }

    /**
     * Returns the number of records that a group has not read, by offsets, which include
     * transactions.
     */
    public long lag(String group, String topic, int partitions) {
        return ask(
                "the group " + group + " cannot be asked for",
                () -> {
                    Map<TopicPartition, OffsetSpec> latest = new HashMap<>();
                    for (int p = 0; p < partitions; p++) {
                        latest.put(new TopicPartition(topic, p), OffsetSpec.latest());
                    }
                    Map<TopicPartition, OffsetAndMetadata> read =
                            KafkaCalls.await(
                                    admin.listConsumerGroupOffsets(group)
                                            .partitionsToOffsetAndMetadata());
                    long lag = 0;
                    for (var end : KafkaCalls.await(admin.listOffsets(latest).all()).entrySet()) {
                        OffsetAndMetadata position = read.get(end.getKey());
                        lag += end.getValue().offset() - (position == null ? 0 : position.offset());
                    }
                    return lag;
                });
    }

    /** Returns the number of members of a group; 0 if there is none of that name. */
    public int members(String group) {
        return ask(
                "the group " + group + " cannot be asked for",
                () -> {
                    try {
                        var groups =
                                KafkaCalls.await(
                                        admin.describeConsumerGroups(List.of(group)).all());
                        var found = groups.get(group);
                        return found.groupState() == GroupState.DEAD ? 0 : found.members().size();
                    } catch (GroupIdNotFoundException none) {
                        return 0;
                    }
                });
    }

    @Override
    public void close() {
        admin.close();
    }
}
