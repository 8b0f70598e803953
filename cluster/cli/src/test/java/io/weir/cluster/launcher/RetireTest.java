package io.weir.cluster.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.kafka.RawRecords;
import io.weir.cluster.kafka.Topics;
import io.weir.cluster.service.TinyCluster;
import io.weir.cluster.wire.Heartbeat;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code weir worker retire}: of one that runs, one that has ended, one that was killed. */
@Timeout(300)
class RetireTest {
    @TempDir private Path directory;

    @Test
    void whoIsRetiredIsMissedByNobody() throws Exception {
        try (TinyCluster cluster = new TinyCluster(directory, "a", "b", "c")) {
            String kafka = cluster.kafka().bootstrap();
            cluster.await("server", "weir_worker_missing{worker=\"c\"}", n -> n == 0);
            killed(cluster, "1");
            cluster.await("server", "weir_worker_missing{worker=\"k\"}", n -> n == 1);
            cluster.stop("b");
            cluster.await("server", "weir_worker_ended{worker=\"b\"}", n -> n == 1);

            Cli.Result unknown = Cli.run("worker", "retire", "--kafka", kafka, "b", "nobody");
            assertEquals(2, unknown.code());
            assertTrue(unknown.err().contains("no worker nobody was heard"), unknown.err());
            assertTrue(unknown.err().contains("heard were a, b, c, k"), unknown.err());
            assertEquals(4, workers(cluster).size());

            Cli.Result retired = Cli.run("worker", "retire", "--kafka", kafka, "a", "b", "k");
            // The worker runs in this process, and logs that it ends.
            assertTrue(retired.err().lines().allMatch(l -> l.startsWith("worker a: ")));
            assertEquals(ExitCode.OK, retired.code());
            assertTrue(retired.out().contains("ran, and has ended"), retired.out());
            assertTrue(retired.out().contains("ended in order"), retired.out());
            assertTrue(retired.out().contains("was silent"), retired.out());
            cluster.await("server", "weir_worker_ended{worker=\"k\"}", n -> n == 1);
            assertTrue(cluster.value("server", "weir_worker_missing{worker=\"k\"}").isEmpty());
            assertEquals(Map.of("c", "running"), workers(cluster));
            Cli.Result doctor = Cli.run("doctor", "--kafka", kafka);
            assertTrue(doctor.out().contains("alive: c\n"), doctor.out());

            killed(cluster, "2"); // another process of the name is of the cluster again
            cluster.await("server", "weir_worker_missing{worker=\"k\"}", n -> n == 1);
        }
    }

    /** A heartbeat, and none after it. */
    private static void killed(TinyCluster cluster, String life) throws Exception {
        byte[] beat =
                Heartbeat.newBuilder()
                        .setFormat(1)
                        .setWorker("k")
                        .setLife(life)
                        .setSentMs(System.currentTimeMillis())
                        .build()
                        .toByteArray();
        RawRecords.write(cluster.kafka(), Topics.HEARTBEATS, "k", beat);
    }

    private static Map<String, String> workers(TinyCluster cluster) throws SQLException {
        Map<String, String> states = new TreeMap<>();
        try (Connection connection = DriverManager.getConnection(cluster.url());
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SHOW WORKERS")) {
            while (rows.next()) {
                states.put(rows.getString("worker"), rows.getString("state"));
            }
        }
        return states;
    }
}
