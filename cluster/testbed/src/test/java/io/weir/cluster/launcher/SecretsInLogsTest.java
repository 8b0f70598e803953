package io.weir.cluster.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.broker.SecuredBroker;
import io.weir.cluster.demo.Processes;
import io.weir.cluster.demo.Processes.Started;
import io.weir.cluster.demo.Processes.Surroundings;
import io.weir.cluster.node.PcapFile;
import io.weir.cluster.security.TestCertificates;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * With {@code WEIR_LOG=info} Kafka's clients say with what configuration they begin, and so do
 * other libraries: passwords are in nothing that a process says.
 */
@Timeout(300)
class SecretsInLogsTest {
    private static final String WORKER = "worker-hush-hush";
    private static final String SERVER = "server-hush-hush";
    private static final String ALICE = "alice-hush-hush";
    private static final List<String> SECRETS = List.of("hush", TestCertificates.PASSWORD);
    private static final String HIDDEN = "sasl.jaas.config = [hidden]";

    @TempDir private Path directory;
    private final List<Started> all = new ArrayList<>();

    private Started start(
            Processes processes, String name, Map<String, String> more, List<String> arguments) {
        Map<String, String> environment = new HashMap<>(more);
        environment.put("WEIR_LOG", "info");
        Started started =
                processes.start(
                        name,
                        new Surroundings(List.of(), environment),
                        List.of("-Xmx256m", Processes.QUICK_COMPILER),
                        arguments.toArray(String[]::new));
        all.add(started);
        return started;
    }

    private static List<String> with(List<String> command, String... more) {
        List<String> whole = new ArrayList<>(command);
        whole.addAll(List.of(more));
        return whole;
    }

    private String users() throws Exception {
        String users = directory.resolve("users").toString();
        Path password = Files.writeString(directory.resolve("p"), ALICE);
        Cli.Result set =
                Cli.run(
                        "user",
                        "set",
                        "alice",
                        "--role",
                        "admin",
                        "--users",
                        users,
                        "--password-file",
                        password.toString());
        assertEquals(0, set.code(), set.err());
        return users;
    }

    @Test
    void passwordsAreInNoOutput() throws Exception {
        String capture =
                new PcapFile().random(7, 10_000).write(directory.resolve("c.pcap")).toString();
        try (SecuredBroker broker = new SecuredBroker(directory.resolve("kafka"));
                Processes processes = new Processes(directory)) {
            broker.addUser("worker", WORKER, SecuredClusterTest.WORKERS);
            broker.addUser("server", SERVER, SecuredClusterTest.SERVERS);
            String kafka = broker.bootstrap();
            String config = broker.clientFileWithKey("server", SERVER).toString();
            List<String> server =
                    List.of("server", "--kafka", kafka, "--kafka-config", config, "--port", "0");
            Started sql = start(processes, "server", Map.of(), with(server, "--users", users()));
            String line = sql.await("listening on ");
            String url = line.substring(line.indexOf("jdbc:"));
            List<String> worker =
                    List.of("worker", "--kafka", kafka, "--node-id", "x", "--pcap", capture);
            Path right = broker.clientFile("worker", WORKER);
            Path wrong = broker.clientFile("worker", "wrong-hush");
            start(
                    processes,
                    "worker",
                    Map.of("WEIR_KAFKA_CONFIG", right.toString()),
                    with(worker, "--repeat", "--outbox", directory.resolve("outbox").toString()));
            assertTrue(countedBy(url) > 0);
            assertThrows(
                    SQLException.class,
                    () -> DriverManager.getConnection(url, "alice", "other-hush"));
            Started refused =
                    start(
                            processes,
                            "refused",
                            Map.of("WEIR_KAFKA_CONFIG", wrong.toString()),
                            with(worker, "--outbox", directory.resolve("other").toString()));
            assertEquals(ExitCode.FAILED, refused.process().waitFor());
            doctor(processes, kafka, config, url);
        }
        all.forEach(SecretsInLogsTest::check);
    }

    private void doctor(Processes processes, String kafka, String config, String url)
            throws Exception {
        List<String> asks =
                List.of("doctor", "--kafka", kafka, "--kafka-config", config, "--url", url);
        Started doctor =
                start(
                        processes,
                        "doctor",
                        Map.of("WEIR_PASSWORD", ALICE),
                        with(asks, "--user", "alice"));
        doctor.process().waitFor();
    }

    private static void check(Started process) {
        String said = String.join("\n", process.lines());
        assertTrue(said.contains("INFO") && said.contains(HIDDEN), process.name() + ": " + said);
        for (String secret : SECRETS) {
            assertFalse(said.contains(secret), process.name() + " says " + secret + ": " + said);
        }
    }

    /** Packets of the rows of one window, once there are some. */
    private static long countedBy(String url) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url, "alice", ALICE);
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "CREATE QUERY all_nodes AS SELECT window_end, COUNT(*) AS n FROM packets"
                            + " GROUP BY TUMBLE(ts, INTERVAL '1' SECOND)");
            long packets = 0;
            while (packets == 0) {
                try (ResultSet rows = statement.executeQuery("SELECT n FROM all_nodes")) {
                    while (rows.next()) {
                        packets += rows.getLong("n");
                    }
                }
            }
            return packets;
        }
    }
}
