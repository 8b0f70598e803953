package io.weir.cluster.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.demo.Processes;
import io.weir.cluster.node.PcapFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code weir up} as a process: it counts, answers, and ends in order when it is asked to. */
@Timeout(300)
class UpTest {
    private static final int SIGTERM = 143;
    private static final String CREATE =
            "CREATE QUERY per_port AS SELECT window_end, dst_port, COUNT(*) AS n FROM packets"
                    + " GROUP BY TUMBLE(ts, INTERVAL '1' SECOND), dst_port";

    @TempDir private Path directory;

    @Test
    void countsAnswersAndEndsInOrder() throws Exception {
        Path capture = new PcapFile().random(7, 10_000).write(directory.resolve("c.pcap"));
        Path temporary = Files.createDirectory(directory.resolve("tmp"));
        try (Processes processes = new Processes(directory)) {
            Processes.Started up =
                    processes.start(
                            "up",
                            List.of("-Xmx512m", "-Djava.io.tmpdir=" + temporary),
                            "up",
                            "--kafka",
                            "--port",
                            "0",
                            "--pcap",
                            capture.toString(),
                            "--repeat");
            String line = up.await("listening on ");
            String url = line.substring(line.indexOf("jdbc:"));
            assertTrue(countedBy(url) > 0);
            up.process().destroy();
            assertEquals(SIGTERM, up.process().waitFor());
            for (String told : up.lines()) {
                assertTrue(told.matches("(kafka on|listening on|worker local:) .*|"), told);
            }
            assertThrows(SQLException.class, () -> countedBy(url));
        }
        try (Stream<Path> left = Files.list(temporary)) {
            assertEquals(List.of(), left.filter(f -> f.toString().contains("weir-up-")).toList());
        }
    }

    /** Packets of the rows of one window, once there are some. */
    private static long countedBy(String url) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(CREATE);
            long packets = 0;
            while (packets == 0) {
                try (ResultSet rows = statement.executeQuery("SELECT n FROM per_port")) {
                    while (rows.next()) {
                        packets += rows.getLong("n");
                    }
                }
            }
            return packets;
        }
    }
}
