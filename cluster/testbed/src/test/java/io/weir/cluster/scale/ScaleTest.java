package io.weir.cluster.scale;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.node.PcapFile;
import io.weir.ingest.source.SourceSpec;
import io.weir.operators.error.WeirException;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The measurement, tiny; its rows are checked as in the large one. */
class ScaleTest {
    @TempDir private Path directory;

    @Test
    void everyFigureIsOfRightRows() throws Exception {
        Path capture = new PcapFile().random(3, 2_000).write(directory.resolve("some.pcap"));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrintStream printed = new PrintStream(out, true, StandardCharsets.UTF_8);
        ScaleRun run = new ScaleRun(directory, capture, 1, printed);
        run.workers(2, 2, 1);
        run.queries(20, 2);
        run.groups(3_000, 2);
        List<String> lines = out.toString(StandardCharsets.UTF_8).lines().toList();
        assertEquals(3, lines.size());
        assertTrue(
                lines.get(0).startsWith("what workers, workers 2, brokers 1, packets 4000, "),
                lines.get(0));
        assertTrue(lines.get(0).contains(", partitions 2, "), lines.get(0));
        assertTrue(lines.get(2).contains("packets 6000, rows 3000, "), lines.get(2));
        String json = run.figures().json(Map.of("when", "now"));
        assertTrue(json.contains("\"merge_cpu_us_a_row\": "), json);
        assertTrue(json.contains("\"shapes\": 20"), json);
    }

    @Test
    void aWrongRowFailsIt() throws Exception {
        Path capture = new PcapFile().random(3, 500).write(directory.resolve("some.pcap"));
        Answers answers =
                Answers.of(
                        List.of(
                                "CREATE QUERY q AS SELECT proto, COUNT(*) AS n, SUM(bytes) AS b FROM"
                                        + " packets GROUP BY TUMBLE(ts, INTERVAL '10' SECOND), proto"),
                        SourceSpec.pcap("Node1", capture));
        assertEquals(1, answers.rows("q"));
        assertThrows(WeirException.class, () -> answers.check("q", Map.of(), 1));
        String group = (PcapFile.START_NS + 10_000_000_000L) + " {\"proto\":17,";
        Map<String, Answers.Sums> wrong = new TreeMap<>();
        wrong.put(group, new Answers.Sums(1_001, 0));
        WeirException told = assertThrows(WeirException.class, () -> answers.check("q", wrong, 2));
        assertTrue(told.getMessage().contains("wrong rows of q: 1 are missing, 1 should not"));
    }
}
