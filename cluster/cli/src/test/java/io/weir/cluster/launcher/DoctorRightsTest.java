package io.weir.cluster.launcher;

import static org.apache.kafka.common.acl.AclOperation.DESCRIBE;
import static org.apache.kafka.common.acl.AclOperation.DESCRIBE_CONFIGS;
import static org.apache.kafka.common.acl.AclOperation.READ;
import static org.apache.kafka.common.resource.PatternType.LITERAL;
import static org.apache.kafka.common.resource.PatternType.PREFIXED;
import static org.apache.kafka.common.resource.ResourceType.CLUSTER;
import static org.apache.kafka.common.resource.ResourceType.GROUP;
import static org.apache.kafka.common.resource.ResourceType.TOPIC;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.broker.SecuredBroker;
import io.weir.cluster.broker.SecuredBroker.Allowed;
import io.weir.cluster.doctor.Doctor;
import io.weir.cluster.doctor.Finding;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.Topics;
import io.weir.cluster.kafka.inspect.Inspection;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code weir doctor} on a Kafka that allows nothing but what docs/CLUSTER.md lists for it. */
class DoctorRightsTest {
    private static final String SERVER = "server-hush-hush";
    private static final String DOCTOR = "doctor-hush-hush";
    private static final long PATIENCE_MS = 60_000;

    private static final List<Allowed> TOPICS =
            List.of(
                    new Allowed(TOPIC, "weir.", PREFIXED, READ, DESCRIBE_CONFIGS),
                    new Allowed(GROUP, "weir-merge", LITERAL, DESCRIBE));

    private static final List<Allowed> BROKERS =
            List.of(new Allowed(CLUSTER, "kafka-cluster", LITERAL, DESCRIBE_CONFIGS));

    private static final List<String> STAGES = List.of("kafka", "topics", "catalogue", "merge");

    @TempDir private Path directory;

    @Test
    void whatIsListedIsEnoughAndLongTransactionsAreTold() throws Exception {
        Map<String, String> kafkasDefault = Map.of(Inspection.CLEANUP, "10000");
        try (SecuredBroker broker = new SecuredBroker(directory, kafkasDefault)) {
            broker.addUser("server", SERVER, SecuredClusterTest.SERVERS);
            Topics.ensure(broker.client("server", SERVER));
            assertServersRightsAreOthers(broker.client("server", SERVER));
            broker.addUser("doctor", DOCTOR, TOPICS);
            KafkaSettings doctor = broker.client("doctor", DOCTOR);
            Map<String, Finding> without = await(doctor, "may not ask");
            assertEquals(Finding.State.NOTE, without.get("transactions").state());
            broker.allow("doctor", BROKERS);
            Finding told = await(doctor, "after 20 s at most").get("transactions");
            assertEquals(Finding.State.NOTE, told.state());
            assertTrue(told.remedy().contains(Inspection.CLEANUP + "=1000"), told.remedy());
        }
    }

    /** What a server needs is not enough: it does not look at how topics are set up. */
    private static void assertServersRightsAreOthers(KafkaSettings server) throws Exception {
        Finding topics = findings(server).get("topics");
        assertTrue(topics.isBroken(), topics.toString());
        assertTrue(topics.remedy().contains("docs/CLUSTER.md lists it"), topics.remedy());
    }

    /**
     * Findings by stage, once that of transactions says so, and no stage of Kafka's is broken:
     * brokers hear of rights in time.
     */
    private static Map<String, Finding> await(KafkaSettings kafka, String text) throws Exception {
        long deadline = System.currentTimeMillis() + PATIENCE_MS;
        while (true) {
            Map<String, Finding> findings = findings(kafka);
            if (findings.get("transactions").about().contains(text)
                    && STAGES.stream().noneMatch(stage -> findings.get(stage).isBroken())) {
                return findings;
            }
            assertTrue(System.currentTimeMillis() < deadline, findings.toString());
        }
    }

    private static Map<String, Finding> findings(KafkaSettings kafka) throws Exception {
        Map<String, Finding> findings = new LinkedHashMap<>();
        new Doctor(
                        Optional.of(kafka),
                        List.of(),
                        new Properties(),
                        Set.of(),
                        Duration.ofMillis(10),
                        finding -> findings.put(finding.stage(), finding))
                .run();
        return findings;
    }
}
