package io.weir.cluster.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.cluster.node.PcapFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each source has a lateness and a time-out of its own. */
class LatenessOfSourcesTest {
    private static final long SECOND_NS = 1_000_000_000L;
    private static final String LATE =
            "SELECT node_id, COUNT(*) AS n FROM packets"
                    + " GROUP BY TUMBLE(ts, INTERVAL '1' DAY), node_id";

    @TempDir private Path folder;

    /** Ten packets in order, and one that comes three seconds late. */
    private String capture(String name) {
        PcapFile capture = new PcapFile();
        for (int i = 0; i < 10; i++) {
            capture.udp(i * SECOND_NS, 0x0a000001, 0x0a000002, 53, 60);
        }
        capture.udp(6 * SECOND_NS, 0x0a000001, 0x0a000002, 54, 60);
        return capture.write(folder.resolve(name)).toString();
    }

    private String run(String... sources) {
        String[] arguments = {"run", "-e", LATE, "--format", "csv", "--source"};
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of(sources));
        Cli.Result result = Cli.run(all.toArray(String[]::new));
        assertEquals(0, result.code(), result.err());
        return result.out();
    }

    @Test
    void aSourcesOwnLatenessCounts() {
        String a = "pcap:" + capture("a.pcap") + "?node=a";
        String b = "pcap:" + capture("b.pcap") + "?node=b";
        assertEquals("node_id,n\na,10\nb,10\n", run(a, b));
        assertEquals("node_id,n\na,11\nb,10\n", run(a + "&lateness=4s", b));
        assertEquals("node_id,n\na,10\nb,11\n", run(a, b + "&lateness=1h&timeout=0s"));
    }
}
