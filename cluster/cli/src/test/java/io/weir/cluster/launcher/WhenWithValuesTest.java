package io.weir.cluster.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.node.Answer;
import io.weir.cluster.node.EmbeddedNode;
import io.weir.cluster.node.NodeSettings;
import io.weir.cluster.node.SqlSession;
import io.weir.cluster.security.User;
import io.weir.ingest.source.SourceSpec;
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

    private static final String FULL =
            """
            CREATE QUERY detail AS
              SELECT window_start, dst_addr, syns.n AS woke, COUNT(*) AS packets
              FROM packets WHERE dst_addr = syns.dst_addr
              GROUP BY TUMBLE(ts, INTERVAL '5' SECOND), dst_addr
              WHEN syns.n > 200 UNTIL syns.n < 0 WITH (bindings = 2)
            """;

    @Test
    void bindingsAreListedAndRefusedOnesAreCounted() {
        EmbeddedNode node =
                new EmbeddedNode(NodeSettings.DEFAULT, List.of(SourceSpec.pcap("local", DEMO)));
        SqlSession session = node.session(User.ANYBODY);
        for (String sql : List.of(SQL.substring(0, SQL.indexOf(';')), FULL)) {
            var unused = ((Answer.Change) session.prepare(sql)).action().get();
        }
        ((Answer.Flow) session.prepare("SUBSCRIBE detail")).producer().get().produce(rows -> {});
        List<List<String>> bindings =
                ((Answer.Texts) session.prepare("SHOW BINDINGS")).rows().get();
        assertEquals(
                List.of("dst_addr = 10.20.0.22", "dst_addr = 10.20.0.10"),
                bindings.stream().map(row -> row.get(1)).toList());
        assertEquals("n = 304", bindings.get(0).get(2));
        assertTrue(Integer.parseInt(bindings.get(0).get(5)) > 1, bindings.toString());
        assertTrue(show(session, "SHOW EVENTS").contains("dst_addr = 10.20.16.66"));
        assertTrue(show(session, "SHOW ACCOUNT").contains(" set_full"));
        String key = "SELECT key FROM sys.bindings WHERE key LIKE '%.22'";
        assertEquals(1, ((Answer.Snapshot) session.prepare(key)).rows().get().size());
    }

    private static String show(SqlSession session, String sql) {
        return ((Answer.Texts) session.prepare(sql)).rows().get().toString();
    }

    @Test
    void anUntilThatAnyGroupMeetsIsWarnedOf(@TempDir Path folder) throws Exception {
        String until = SQL.replace("FOR INTERVAL '5' SECOND", "UNTIL syns.n < 50");
        String any =
                until.replace(" WHERE dst_addr = syns.dst_addr", "").replace("syns.n AS", "1 AS");
        assertTrue(warnings(folder, any).contains("a row of any group of syns can end detail"));
        assertEquals("", warnings(folder, until));
        assertEquals("", warnings(folder, any.replace("UNTIL syns.n < 50", "")));
    }

    private static String warnings(Path folder, String sql) throws Exception {
        Path file = Files.writeString(folder.resolve("warned.sql"), sql);
        Cli.Result result = Cli.run("run", "--sql", file.toString(), "--pcap", DEMO.toString());
        assertEquals(0, result.code(), result.err());
        return String.join(
                "", result.err().lines().filter(line -> line.startsWith("warning: ")).toList());
    }

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
