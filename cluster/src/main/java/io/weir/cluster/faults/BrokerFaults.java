package io.weir.cluster.faults;

import io.weir.cluster.kafka.KafkaCalls;
import io.weir.cluster.kafka.Topics;
import java.util.List;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.Node;

/** What can happen to Kafka. */
final class BrokerFaults {
    private BrokerFaults() {}

    /** Stopped in order or killed, by chance. */
    static void all(Scene scene) throws InterruptedException {
        scene.pause(500, 2_500);
        boolean killed = scene.random().nextBoolean();
        long atNs = FaultCluster.nowNs();
        if (killed) {
            for (int i = 0; i < scene.cluster().brokers(); i++) {
                scene.cluster().killBroker(i);
            }
        } else {
            scene.cluster().stopBrokers();
        }
        scene.say((killed ? "killed" : "stopped") + " all brokers");
        scene.pause(4_000, 9_000);
        long backNs = FaultCluster.nowNs();
        scene.cluster().startBrokers();
        scene.say("they run again, away for " + (FaultCluster.nowNs() - atNs) / 1_000_000 + " ms");
        for (String node : scene.nodes()) {
            scene.awaitEach(node, backNs);
        }
        long eachMs = (FaultCluster.nowNs() - backNs) / 1_000_000;
        scene.say("rows come again " + eachMs + " ms after they were started");
        scene.say("merged rows after " + scene.awaitMerged(backNs) + " ms");
    }

    /** The one that leads the rows of workers; where there is one broker, that. */
    static void leader(Scene scene) throws Exception {
        scene.pause(500, 2_500);
        try (Admin admin = Admin.create(scene.cluster().kafka().client("weir-faults-admin"))) {
            int leader = leader(admin);
            long atNs = FaultCluster.nowNs();
            scene.cluster().killBroker(leader - 1);
            scene.say("killed broker " + leader + ", which led " + topic());
            if (scene.cluster().brokers() > 1) {
                while (leader(admin) == leader) {
                    Thread.sleep(20);
                }
                long ms = (FaultCluster.nowNs() - atNs) / 1_000_000;
                scene.say("another leads after " + ms + " ms");
                for (String node : scene.nodes()) {
                    scene.awaitEach(node, atNs);
                }
                ms = (FaultCluster.nowNs() - atNs) / 1_000_000;
                scene.say("rows come again after " + ms + " ms");
                scene.say("merged rows after " + scene.awaitMerged(atNs) + " ms");
            }
            scene.cluster().startBrokers();
            scene.say("the broker runs again");
        }
    }

    private static String topic() {
        return Topics.results(Queries.EACH);
    }

    private static int leader(Admin admin) throws Exception {
        Node leader =
                KafkaCalls.await(admin.describeTopics(List.of(topic())).allTopicNames())
                        .get(topic())
                        .partitions()
                        .get(0)
                        .leader();
        return leader == null ? -1 : leader.id();
    }
}
