package io.weir.cluster.faults;

import io.weir.cluster.kafka.KafkaCalls;
import io.weir.cluster.kafka.Topics;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;

/** The faults of Kafka. */
final class BrokerFaults {
    private BrokerFaults() {}

    /**
     * Stops the brokers in order or kills them, by chance. If they are killed, a worker is killed
     * too before they are back. Only its outbox then knows the wakes of its rows.
     *
     * @param away how long; zero: some seconds, by chance
     */
    static void all(Scene scene, Audit audit, Duration away) throws InterruptedException {
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
        stayAway(scene, away);
        String dead = killed ? scene.anyNode() : "";
        long mergedNs = scene.mergedNs();
        long backNs = killed ? scene.kill(scene.cluster().life(dead)) : FaultCluster.nowNs();
        scene.cluster().startBrokers();
        scene.say("they run again, away for " + (FaultCluster.nowNs() - atNs) / 1_000_000 + " ms");
        if (killed) {
            scene.say("killed " + dead + " before");
            Life before = scene.cluster().life(dead);
            audit.killed(mergedNs, before, scene.start(dead));
        }
        for (String node : scene.nodes()) {
            scene.awaitEach(node, backNs);
        }
        long eachMs = (FaultCluster.nowNs() - backNs) / 1_000_000;
        scene.took(killed ? "a killed worker's rows, too," : "rows come again", eachMs);
        scene.took("merged rows", scene.awaitMerged(backNs));
    }

    /** The time is at least as long as windows of a killed worker may be lost. */
    private static void stayAway(Scene scene, Duration away) throws InterruptedException {
        if (away.isZero()) {
            scene.pause(4_000, 9_000);
        } else {
            Thread.sleep(away.toMillis());
        }
    }

    /**
     * Freezes the brokers: nobody is refused, and nobody has an answer. It asserts that workers
     * read on meanwhile.
     *
     * @param away how long; zero: some seconds, by chance
     */
    static void freeze(Scene scene, Duration away) throws InterruptedException {
        scene.pause(500, 2_500);
        scene.cluster().freezeBrokers();
        long atNs = FaultCluster.nowNs();
        scene.say("froze all brokers");
        stayAway(scene, away);
        long untilNs = FaultCluster.nowNs();
        for (String node : scene.nodes()) {
            awaitRead(scene, node, untilNs);
        }
        scene.say("all workers have read on for " + (untilNs - atNs) / 1_000_000 + " ms");
        scene.cluster().thawBrokers();
        long thawedNs = FaultCluster.nowNs();
        for (String node : scene.nodes()) {
            scene.awaitEach(node, thawedNs);
        }
        scene.took("rows come again", (FaultCluster.nowNs() - thawedNs) / 1_000_000);
        scene.took("merged rows", scene.awaitMerged(thawedNs));
    }

    /** Waits until a worker has read all packets before a time. */
    private static void awaitRead(Scene scene, String node, long untilNs)
            throws InterruptedException {
        Life life = scene.cluster().life(node);
        long packets = scene.frames().before(life.beginNs(), untilNs);
        while (life.read().orElseThrow() < packets) {
            scene.check(life, untilNs);
            Thread.sleep(20);
        }
    }

    /** Kills the leader of the workers' rows; a single broker is the leader. */
    static void leader(Scene scene) throws Exception {
        scene.pause(500, 2_500);
        try (Admin admin = Admin.create(scene.cluster().kafka().client("weir-faults-admin"))) {
            int leader = leader(admin);
            long atNs = FaultCluster.nowNs();
            scene.cluster().killBroker(leader - 1);
            scene.say("killed broker " + leader + ", which led " + topic());
            if (scene.cluster().brokers() > 1) {
                scene.took("another leads", awaitOther(admin, leader, atNs));
                for (String node : scene.nodes()) {
                    scene.awaitEach(node, atNs);
                }
                long ms = (FaultCluster.nowNs() - atNs) / 1_000_000;
                scene.took("rows come again", ms);
                scene.took("merged rows", scene.awaitMerged(atNs));
            }
            scene.cluster().startBrokers();
            scene.say("the broker runs again");
        }
    }

    /**
     * Waits for another leader. Returns the ms since. Brokers that do not answer meanwhile are
     * asked again.
     */
    private static long awaitOther(Admin admin, int dead, long sinceNs) throws Exception {
        while (true) {
            long ms = (FaultCluster.nowNs() - sinceNs) / 1_000_000;
            int leader = leaderIfKnown(admin);
            if (leader != dead && leader >= 0) {
                return ms;
            }
            if (ms > Scene.PATIENCE.toMillis()) {
                throw new WeirException(
                        ErrorCode.INTERNAL, "nobody leads " + topic() + " but broker " + dead);
            }
            Thread.sleep(20);
        }
    }

    private static int leaderIfKnown(Admin admin) throws Exception {
        try {
            return leader(admin);
        } catch (TimeoutException | KafkaException e) {
            return -1; // perhaps the dead one was asked
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
