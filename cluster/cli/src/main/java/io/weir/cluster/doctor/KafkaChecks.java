package io.weir.cluster.doctor;

import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.Topics;
import io.weir.cluster.kafka.catalog.CatalogState;
import io.weir.cluster.kafka.catalog.Fault;
import io.weir.cluster.kafka.catalog.KafkaCatalog;
import io.weir.cluster.kafka.inspect.Inspection;
import io.weir.cluster.kafka.inspect.TopicLook;
import io.weir.cluster.kafka.results.OutboxSender;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/** Checks brokers, topics and catalogue. Each needs the one before. */
final class KafkaChecks {
    private static final long HOUR_MS = 3_600_000;
    private static final long SHORT_CLEANUP_MS = 2_000;

    private final KafkaSettings settings;
    private final Inspection kafka;
    private CatalogState seen = CatalogState.EMPTY;

    KafkaChecks(KafkaSettings settings, Inspection kafka) {
        this.settings = settings;
        this.kafka = kafka;
    }

    Finding brokers() {
        int brokers = kafka.brokers();
        return Finding.ok("kafka", brokers + (brokers == 1 ? " broker" : " brokers"));
    }

    /** Checks how long a killed worker's open transaction keeps readers from later records. */
    Finding transactions() {
        OptionalLong cleanupMs = kafka.cleanupMs();
        if (cleanupMs.isEmpty()) {
            return Finding.note(
                    "transactions",
                    "this user may not ask for brokers' settings",
                    "DescribeConfigs on the cluster: docs/CLUSTER.md lists it");
        }
        long ms = OutboxSender.TRANSACTION_TIMEOUT_MS + cleanupMs.getAsLong();
        String about = "a killed worker's are given up after " + (ms + 999) / 1_000 + " s at most";
        return cleanupMs.getAsLong() <= SHORT_CLEANUP_MS
                ? Finding.ok("transactions", about)
                : Finding.note(
                        "transactions",
                        about,
                        "until then rows of others wait, too: brokers with "
                                + Inspection.CLEANUP
                                + "=1000 look each second");
    }

    Finding topics() {
        Map<String, Topics.Wanted> wanted =
                Topics.wanted(settings.shards()).stream()
                        .collect(Collectors.toMap(Topics.Wanted::name, w -> w));
        Map<String, TopicLook> there = kafka.topics(wanted.keySet());
        List<String> missing =
                wanted.keySet().stream().filter(name -> !there.containsKey(name)).sorted().toList();
        if (!missing.isEmpty()) {
            return Finding.broken(
                    "topics",
                    "there is no " + String.join(", ", missing),
                    "the first worker or server makes them, if it may create topics weir.*");
        }
        List<String> remarks = new ArrayList<>();
        for (TopicLook topic : there.values()) {
            Finding wrong = wrong(topic, wanted.get(topic.name()));
            if (wrong != null) {
                return wrong;
            }
            if (topic.replicas() == 1 && kafka.brokers() > 1) {
                remarks.add(topic.name() + " has one copy only");
            } else if (!topic.compacted()
                    && topic.retentionMs() >= 0
                    && topic.retentionMs() < HOUR_MS) {
                remarks.add(topic.name() + " keeps its records for less than an hour");
            }
        }
        return remarks.isEmpty()
                ? Finding.ok("topics", there.size() + " as they should be")
                : Finding.note(
                        "topics",
                        String.join("; ", remarks),
                        "kafka-reassign-partitions and kafka-configs change it");
    }

    /** Returns null without a fault. */
    private static Finding wrong(TopicLook topic, Topics.Wanted wanted) {
        String name = topic.name();
        if (topic.leaderless() > 0) {
            return Finding.broken(
                    "topics",
                    name + " has " + topic.leaderless() + " partitions without a leader",
                    "start the brokers that have its copies");
        } else if (topic.behind() > 0) {
            return Finding.broken(
                    "topics",
                    name + " has fewer copies in step than min.insync.replicas",
                    "start the brokers that have its copies: until then nobody can write there");
        } else if (topic.partitions() != wanted.partitions()) {
            return Finding.broken(
                    "topics",
                    name + " has " + topic.partitions() + " partitions, not " + wanted.partitions(),
                    name.equals(Topics.PARTIALS)
                            ? "if the cluster has so many shards, ask with --shards "
                                    + topic.partitions()
                            : "stop Weir, delete the topic, start Weir: it makes the topic again");
        } else if (topic.compacted() != wanted.compacted()) {
            String policy = wanted.compacted() ? "compact" : "delete";
            return Finding.broken(
                    "topics",
                    name + " is " + (wanted.compacted() ? "not compacted" : "compacted"),
                    "kafka-configs --alter --topic "
                            + name
                            + " --add-config cleanup.policy="
                            + policy);
        }
        return null;
    }

    /** Returns the catalogue as {@link #catalogue} has seen it; empty if it could not be read. */
    CatalogState seen() {
        return seen;
    }

    Finding catalogue() {
        CatalogState state = KafkaCatalog.look(settings);
        seen = state;
        if (!state.faults().isEmpty()) {
            Fault first = state.faults().get(0);
            return Finding.broken(
                    "catalogue",
                    state.faults().size()
                            + " records cannot be read; the first is of "
                            + first.name()
                            + ": "
                            + first.about(),
                    "CREATE OR REPLACE QUERY puts a good one in its place, DROP QUERY IF EXISTS"
                            + " removes it");
        }
        return Finding.ok(
                "catalogue",
                Finding.queries(state.queries().size()) + ", read up to offset " + state.offset());
    }
}
