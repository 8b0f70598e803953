package io.weir.cluster.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each host that an alarm names is counted by itself. */
class WhenWithValuesTest {
    private static final Path DEMO = Path.of("..", "..", "demo", "capture.pcap");

    private static final String SQL =
            """
            CREATE QUERY syns AS
              SELECT dst_addr, COUNT(*) AS n FROM packets WHERE proto = 6
              GROUP BY TUMBLE(ts, INTERVAL '1' SECOND), dst_addr;
            CREATE QUERY detail AS
              SELECT window_start, dst_addr, syns.n AS woke, COUNT(*) AS packets
              FROM packets WHERE dst_addr = syns.dst_addr
              GROUP BY TUMBLE(ts, INTERVAL '5' SECOND), dst_addr
              WHEN syns.n > 200 FOR INTERVAL '5' SECOND;
            """;

    /**
     * tshark counts the same: 164 packets to 10.20.0.22 from 00:15:34, when it wakes, to 00:15:35,
     * and 951 in the five seconds after it. From 00:15:43 to 00:15:45 each of the other two hosts
     * gets 66.
     */
    @Test
    void aHostsPacketsAreThoseThatTsharkCounts(@TempDir Path folder) throws Exception {
        Path sql = Files.writeString(folder.resolve("detail.sql"), SQL);
        Cli.Result result =
                Cli.run(
                        "run",
                        "--sql",
                        sql.toString(),
                        "--query",
                        "detail",
                        "--format",
                        "csv",
                        "--pcap",
                        DEMO.toString());
        assertEquals(0, result.code(), result.err());
        assertTrue(result.err().contains("wakes detail for dst_addr = 10.20.0.22, "), result.err());
        List<String> first = result.out().lines().limit(5).toList();
        assertEquals(
                List.of(
                        "window_start,dst_addr,woke,packets",
                        "2026-11-21T00:15:30.000000000Z,10.20.0.22,304,164",
                        "2026-11-21T00:15:35.000000000Z,10.20.0.22,304,951",
                        "2026-11-21T00:15:40.000000000Z,10.20.0.10,235,66",
                        "2026-11-21T00:15:40.000000000Z,10.20.16.66,234,66"),
                first);
    }
}
