package io.weir.cluster.broker;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import kafka.server.BrokerServer;
import kafka.server.ControllerServer;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import kafka.server.Server;
import kafka.server.SharedServer;
import kafka.server.StandardFaultHandlerFactory;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.bootstrap.BootstrapMetadata;
import org.apache.kafka.metadata.properties.MetaPropertiesEnsemble;
import org.apache.kafka.server.ServerSocketFactory;
import org.slf4j.LoggerFactory;
import scala.Tuple2;

/**
 * Runs a broker with its controller, as Kafka's own {@link KafkaRaftServer} does. That class asks
 * the controllers for leave to end, and waits five minutes if most of them are gone. This happens
 * to the last of several brokers that stop at once. This class does not wait long. One thread at a
 * time.
 */
final class CombinedServer {
    /** Longer than it takes to move a broker's leadership to another, if there is one. */
    private static final Duration LEAVE = Duration.ofSeconds(10);

    /** Some sessions of a broker. After that the broker is gone, or most of the controllers are. */
    private static final Duration FORMER_LIFE = Duration.ofSeconds(20);

    private final int id;
    private final Duration formerLife;
    private final SharedServer shared;
    private final ControllerServer controller;
    private final BrokerServer broker;

    /**
     * Makes it, and starts nothing.
     *
     * @param patience how long it waits for its cluster to let it in
     */
    CombinedServer(BrokerSettings settings, Duration patience) {
        Map<String, String> properties = settings.properties();
        properties.put(
                "initial.broker.registration.timeout.ms", Long.toString(patience.toMillis()));
        KafkaConfig config = KafkaConfig.apply(properties, false);
        Tuple2<MetaPropertiesEnsemble, BootstrapMetadata> there =
                KafkaRaftServer.initializeLogDirs(
                        config,
                        LoggerFactory.getLogger(CombinedServer.class),
                        "broker " + settings.id() + ": ");
        Metrics metrics =
                Server.initializeMetrics(config, Time.SYSTEM, there._1().clusterId().orElseThrow());
        id = settings.id();
        formerLife = patience.compareTo(FORMER_LIFE) < 0 ? patience : FORMER_LIFE;
        shared =
                new SharedServer(
                        config,
                        there._1(),
                        Time.SYSTEM,
                        metrics,
                        CompletableFuture.completedFuture(addresses(settings)),
                        List.of(), // the voters are known
                        new StandardFaultHandlerFactory(),
                        ServerSocketFactory.INSTANCE);
        broker = new BrokerServer(shared);
        controller = new ControllerServer(shared, KafkaRaftServer.configSchema(), there._2());
    }

    private static Map<Integer, InetSocketAddress> addresses(BrokerSettings settings) {
        return settings.voters().stream()
                .collect(
                        Collectors.toMap(
                                BrokerSettings.Voter::id,
                                voter -> new InetSocketAddress(voter.host(), voter.port())));
    }

    /** Returns when it runs. If it throws, all that it had begun is closed. */
    void start() {
        controller.startup(); // first: the broker's raft client wants its address
        try {
            FormerLife.awaitGone(shared.loader(), id, formerLife);
            broker.startup();
        } catch (Throwable e) {
            controller.shutdown(); // the broker has closed its own parts
            throw e;
        }
    }

    /** Returns when all is closed, including its logs. */
    void stop() {
        broker.shutdown(LEAVE);
        controller.shutdown();
        awaitEnd();
    }

    void awaitEnd() {
        broker.awaitShutdown();
        controller.awaitShutdown();
    }
}
