package io.weir.cluster.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.node.PcapFile;
import io.weir.operators.graph.Query;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * More groups than the memory of each worker has room for, through the merge: each row says by how
 * much it may be low at most, and those that found room on all workers are exact.
 */
@Timeout(300)
final class MergedOverflowTest {
    private static final int PACKETS = 60_000;
    private static final long MS = 1_000_000L;
    private static final String GROUPS =
            " FROM packets GROUP BY TUMBLE(ts, INTERVAL '1' SECOND), dst_port";
    private static final String QUERIES =
            "CREATE QUERY exact AS SELECT dst_port, COUNT(*) AS n"
                    + GROUPS
                    + "; CREATE QUERY low AS SELECT dst_port, COUNT(*) AS n, undercount"
                    + GROUPS
                    + " WITH (memory = '128KB', on_overflow = 'evict');";

    private final long seed = Long.getLong("weir.seed", 23);
    private final Random random = new Random(seed);

    @TempDir private Path folder;

    /** Few ports first, and then a flood of others among these. */
    private Path capture() {
        PcapFile file = new PcapFile();
        for (int i = 0; i < PACKETS; i++) {
            boolean heavy = i % 20_000 < 2_000 || random.nextInt(10) == 0;
            int port = heavy ? random.nextInt(20) : 100 + random.nextInt(60_000);
            long atNs = i / 20_000 * (1_000L * MS) + i % 20_000 * (MS / 25);
            file.udp(atNs, random.nextInt(1 << 16), random.nextInt(1 << 16), port, 100);
        }
        return file.write(folder.resolve("flood.pcap"));
    }

    /** Rows by window and port: what stands after these. */
    private static Map<String, String> byGroup(List<String> rows) {
        Map<String, String> groups = new HashMap<>();
        for (String row : rows) {
            String[] words = row.split(" ", 3);
            groups.put(words[0] + " " + words[1], words[2]);
        }
        return groups;
    }

    @Test
    void rowsSayByHowMuchTheyMayBeLow() {
        List<Query> queries = MergedLibraryTest.queries(QUERIES);
        Path capture = capture();
        for (int workers = 2; workers <= 3; workers++) {
            Rows rows = new ClusterRun(queries, capture, workers, 1, 2, random).run();
            String about = workers + " workers, -Dweir.seed=" + seed;
            check(byGroup(rows.of("exact")), byGroup(rows.of("low")), about);
        }
    }

    private static void check(Map<String, String> exact, Map<String, String> low, String about) {
        assertTrue(low.size() < exact.size(), about + ": all groups found room");
        int inexact = 0;
        for (Map.Entry<String, String> row : low.entrySet()) {
            String[] told = row.getValue().split(" ");
            long n = Long.parseLong(told[0]);
            long most = n + Long.parseLong(told[1]);
            long real = Long.parseLong(exact.get(row.getKey()));
            assertTrue(n <= real && real <= most, about + ": " + row + ", exact " + real);
            inexact += n < real ? 1 : 0;
            int port = Integer.parseInt(row.getKey().split(" ")[1]);
            assertTrue(port >= 100 || n == real && told[1].equals("0"), about + ": " + row);
        }
        long first =
                low.keySet().stream().filter(k -> Integer.parseInt(k.split(" ")[1]) < 20).count();
        assertEquals(3 * 20, first, about);
        assertTrue(inexact > 0, about + ": nothing is low");
    }
}
