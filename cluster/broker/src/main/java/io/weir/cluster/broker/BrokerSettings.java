package io.weir.cluster.broker;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The settings of a broker that is also a controller (KRaft's combined role).
 *
 * @param voters all controllers of the cluster, this one included
 * @param host the address that clients are given
 * @param directory of its logs; made and formatted at the first start
 */
public record BrokerSettings(int id, String host, int port, List<Voter> voters, Path directory) {
    private static final String CLUSTER_ID = "weir-cluster";
    private static final int MOST_REPLICAS = 3;

    /**
     * The number is small: a worker's transactions and consumers need no more, and each costs files
     * and memory.
     */
    private static final int INTERNAL_PARTITIONS = 4;

    /** A controller of the cluster: {@code ID@HOST:PORT}. */
    public record Voter(int id, String host, int port) {
        private static final Pattern FORM = Pattern.compile("(\\d{1,9})@([^\\s:@]+):(\\d{1,5})");

        /** Reads the controllers from a text like {@code 1@127.0.0.1:9191,2@127.0.0.1:9192}. */
        public static List<Voter> parse(String text) {
            return Arrays.stream(text.split(",")).map(Voter::parseOne).toList();
        }

        private static Voter parseOne(String text) {
            Matcher matcher = FORM.matcher(text.strip());
            if (!matcher.matches()) {
                throw new WeirException(
                        ErrorCode.INVALID_OPTION,
                        "'" + text + "' is no controller",
                        "ID@HOST:PORT, several with commas between");
            }
            return new Voter(
                    Integer.parseInt(matcher.group(1)),
                    matcher.group(2),
                    Integer.parseInt(matcher.group(3)));
        }

        @Override
        public String toString() {
            return id + "@" + host + ":" + port;
        }
    }

    public BrokerSettings {
        voters = List.copyOf(voters);
        int self = id;
        if (voters.stream().noneMatch(voter -> voter.id() == self)) {
            throw new WeirException(
                    ErrorCode.INVALID_OPTION,
                    "broker " + id + " is not among the controllers " + voters);
        }
    }

    /** Makes settings for one broker that is the whole cluster, on the loopback. */
    public static BrokerSettings alone(int port, int controllerPort, Path directory) {
        String host = "127.0.0.1";
        return new BrokerSettings(
                1, host, port, List.of(new Voter(1, host, controllerPort)), directory);
    }

    static String clusterId() {
        return CLUSTER_ID;
    }

    Voter self() {
        return voters.stream().filter(voter -> voter.id() == id).findFirst().orElseThrow();
    }

    /** Returns the properties in Kafka's form. */
    Map<String, String> properties() {
        int replicas = Math.min(MOST_REPLICAS, voters.size());
        int inSync = Math.max(1, replicas - 1);
        Map<String, String> p = new TreeMap<>();
        p.put("process.roles", "broker,controller");
        p.put("node.id", Integer.toString(id));
        p.put(
                "controller.quorum.voters",
                String.join(",", voters.stream().map(Voter::toString).toList()));
        p.put("controller.listener.names", "CONTROLLER");
        p.put("inter.broker.listener.name", "CLIENTS");
        p.put("listener.security.protocol.map", "CONTROLLER:PLAINTEXT,CLIENTS:PLAINTEXT");
        p.put(
                "listeners",
                "CLIENTS://" + host + ":" + port + ",CONTROLLER://" + host + ":" + self().port());
        p.put("advertised.listeners", "CLIENTS://" + host + ":" + port);
        p.put("log.dirs", directory.toString());
        p.put("auto.create.topics.enable", "false");
        p.put("default.replication.factor", Integer.toString(replicas));
        p.put("min.insync.replicas", Integer.toString(inSync));
        for (String topic : List.of("offsets.topic", "transaction.state.log")) {
            p.put(topic + ".replication.factor", Integer.toString(replicas));
            p.put(topic + ".num.partitions", Integer.toString(INTERNAL_PARTITIONS));
        }
        p.put("transaction.state.log.min.isr", Integer.toString(inSync));
        p.put("share.coordinator.state.topic.replication.factor", Integer.toString(replicas));
        p.put("share.coordinator.state.topic.min.isr", Integer.toString(inSync));
        p.put("group.initial.rebalance.delay.ms", "0");
        // A new topic is there at once, and not after a wait of 25 ms for others.
        p.put("controller.quorum.append.linger.ms", "0");
        // A dead broker is noticed in two seconds, not in nine.
        p.put("broker.heartbeat.interval.ms", "500");
        p.put("broker.session.timeout.ms", "2000");
        // An abandoned transaction ends at its time-out, and not up to 10 s later.
        p.put("transaction.abort.timed.out.transaction.cleanup.interval.ms", "1000");
        // Index files of 10 MiB for each partition, made at once, would be larger than the records.
        p.put("log.index.size.max.bytes", "1048576");
        p.put("log.cleaner.dedupe.buffer.size", "4194304");
        p.put("controlled.shutdown.enable", Boolean.toString(voters.size() > 1));
        return p;
    }
}
