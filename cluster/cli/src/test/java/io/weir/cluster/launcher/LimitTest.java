package io.weir.cluster.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.node.PcapFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** LIMIT over single rows ends the run early, and nothing else does. */
class LimitTest {
    private static final int PACKETS = 50_000;
    private static final String ROWS = "SELECT ts, src_addr, bytes FROM packets";
    private static final String NOTE = "note: every LIMIT was reached";

    @TempDir private Path folder;

    private String pcap;

    @BeforeEach
    void capture() {
        pcap = new PcapFile().random(11, PACKETS).write(folder.resolve("l.pcap")).toString();
    }

    private record Run(List<String> rows, long offered, boolean early) {}

    private Run run(String sql, String... options) throws IOException {
        Path stats = folder.resolve("stats.json");
        List<String> arguments =
                new ArrayList<>(List.of("run", "-e", sql, "--pcap", pcap, "--format", "json"));
        arguments.addAll(List.of("--stats", stats.toString()));
        arguments.addAll(List.of(options));
        Cli.Result result = Cli.run(arguments.toArray(String[]::new));
        assertEquals(0, result.code(), result.err());
        return new Run(
                result.out().lines().toList(), Cli.offered(stats), result.err().contains(NOTE));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void theFirstRowsAreTheSameAndTheRestIsNotRead(int partitions) throws IOException {
        String parts = Integer.toString(partitions);
        List<String> all = run(ROWS, "--partitions", parts).rows();
        assertEquals(PACKETS, all.size());
        Run limited = run(ROWS + " LIMIT 7 OFFSET 2", "--partitions", parts);
        assertEquals(all.subList(2, 9), limited.rows());
        assertTrue(limited.early());
        assertTrue(limited.offered() < PACKETS / 2, "read " + limited.offered());
    }

    @Test
    void allLimitsMustBeReached() throws IOException {
        String count = "SELECT COUNT(*) AS n FROM packets";
        for (String other : List.of(count, count + " LIMIT 1", ROWS + " LIMIT 50001")) {
            Run both = run(ROWS + " LIMIT 1; " + other);
            assertEquals(PACKETS, both.offered(), other);
            assertEquals(false, both.early(), other);
        }
        Run two = run(ROWS + " LIMIT 1; " + ROWS + " LIMIT 3");
        assertEquals(4, two.rows().size());
        assertTrue(two.offered() < PACKETS / 2);
    }

    @Test
    void limitsOfOtherQueriesAndOfSleepersEndNothing() throws IOException {
        String upstream = "CREATE QUERY first AS " + ROWS + " LIMIT 5; ";
        Run read = run(upstream + "SELECT COUNT(*) AS n FROM packets", "--query", "q1");
        assertEquals(PACKETS, read.offered());
        Run woken = run(upstream + ROWS + " LIMIT 5 WHEN first.bytes > 0", "--query", "q1");
        assertEquals(PACKETS, woken.offered());
        assertEquals(5, woken.rows().size());
    }

    @Test
    void noRowsNeedNoPackets() throws IOException {
        Run none = run(ROWS + " LIMIT 0");
        assertEquals(new Run(List.of(), 0, true), none);
    }
}
