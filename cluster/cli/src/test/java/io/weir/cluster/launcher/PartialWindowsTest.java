package io.weir.cluster.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.cluster.node.PcapFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code is_partial}: windows in which a capture begins or ends. */
class PartialWindowsTest {
    private static final long SECOND = 1_000_000_000L;
    private static final int HOST = 0x0a000001;

    @TempDir private Path folder;

    /** A packet every 100 ms, with one of other addresses now and then. */
    private String capture(double from, double to) {
        PcapFile file = new PcapFile();
        for (int i = 0; from + i * 0.1 <= to; i++) {
            file.udp((long) ((from + i * 0.1) * SECOND), HOST + i % 7, HOST + 100 + i % 5, 53, 100);
        }
        return file.write(folder.resolve("capture.pcap")).toString();
    }

    private static List<String> flags(String pcap, String sql, String... shape) {
        List<String> arguments = new ArrayList<>(List.of("run", "-e", sql, "--pcap", pcap));
        arguments.addAll(List.of("--format", "csv"));
        arguments.addAll(List.of(shape));
        Cli.Result result = Cli.run(arguments.toArray(new String[0]));
        assertEquals(0, result.code(), result.err());
        List<String> lines = result.out().lines().toList();
        return lines.subList(1, lines.size());
    }

    @ParameterizedTest
    @CsvSource({"1,1", "1,3", "2,2"})
    void theFirstAndTheLastWindowOfACapture(String partitions, String pipelines) {
        String[] shape = {"--partitions", partitions, "--pipelines", pipelines};
        String windows = "SELECT is_partial FROM packets GROUP BY TUMBLE(ts, INTERVAL '1' SECOND)";
        assertEquals(
                List.of("true", "false", "false", "true"),
                flags(capture(10.5, 13.45), windows, shape));
        // A packet at the very start: nothing shows that some were missed.
        assertEquals(List.of("false", "false", "true"), flags(capture(10, 12.65), windows, shape));
    }

    @Test
    void windowsThatOverlap() {
        String hops =
                "SELECT is_partial FROM packets"
                        + " GROUP BY HOP(ts, INTERVAL '1' SECOND, INTERVAL '2' SECOND)";
        assertEquals(
                List.of("true", "true", "false", "true", "true"),
                flags(capture(10.5, 13.45), hops));
    }

    @Test
    void totalsAreOfNoWindow() {
        String totals = "SELECT is_partial FROM packets GROUP BY proto";
        assertEquals(List.of("false"), flags(capture(10.5, 13.45), totals));
    }

    @Test
    void windowsOfWindows() {
        String sql =
                "CREATE QUERY sec AS SELECT window_end, COUNT(*) AS n FROM packets"
                        + " GROUP BY TUMBLE(ts, INTERVAL '1' SECOND);"
                        + " SELECT is_partial FROM sec"
                        + " GROUP BY TUMBLE(window_end, INTERVAL '10' SECOND)";
        assertEquals(
                List.of("true", "false", "true"), flags(capture(10.5, 37.3), sql, "--query", "q1"));
    }
}
