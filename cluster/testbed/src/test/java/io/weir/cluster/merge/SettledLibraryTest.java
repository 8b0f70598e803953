package io.weir.cluster.merge;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.sql.library.LibraryQuery;
import io.weir.sql.library.QueryLibrary;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Worker processes that share a real capture give, row by row, what one engine says of it: of the
 * library's queries, and of queries that wake each other.
 */
@Timeout(900)
final class SettledLibraryTest extends SettledSlices {
    /** Each waits for rows of one that is there already: of the library, or for another's. */
    private static String chains(Random random) {
        StringBuilder text =
                new StringBuilder(
                        """
                        CREATE QUERY rate AS SELECT window_end, COUNT(*) AS n FROM packets
                          GROUP BY TUMBLE(ts, INTERVAL '1' SECOND);
                        CREATE QUERY totals AS SELECT src_addr, COUNT(DISTINCT dst_addr) AS n
                          FROM packets GROUP BY src_addr;
                        CREATE QUERY per_host AS SELECT window_end, dst_addr, COUNT(*) AS n
                          FROM packets GROUP BY TUMBLE(ts, INTERVAL '2' SECOND), dst_addr;
                        CREATE QUERY sums AS SELECT window_end, MAX(n) AS n FROM per_host
                          GROUP BY TUMBLE(window_end, INTERVAL '3' SECOND);
                        """);
        List<String> names = new ArrayList<>(List.of("rate", "totals", "per_host", "sums"));
        List<String> keys = List.of("proto", "src_addr", "dst_port", "src_addr, dst_addr");
        for (int q = 0; q < 8; q++) {
            String upstream = names.get(random.nextInt(names.size()));
            int least = 1 << random.nextInt(8);
            String key = keys.get(random.nextInt(keys.size()));
            text.append(
                    String.format(
                            "CREATE QUERY chain_%d AS SELECT active_from, window_end, %s,"
                                    + " COUNT(*) AS n FROM packets"
                                    + " GROUP BY TUMBLE(ts, INTERVAL '%d' SECOND), %s"
                                    + " WHEN %s.n > %d%s;%n",
                            q,
                            key,
                            1 + random.nextInt(3),
                            key,
                            upstream,
                            least,
                            end(random, upstream, least)));
            names.add("chain_" + q);
        }
        return text.toString();
    }

    private static String end(Random random, String upstream, int least) {
        return switch (random.nextInt(3)) {
            case 0 -> "";
            case 1 -> " UNTIL " + upstream + ".n < " + (least + 1) / 2;
            default -> " FOR INTERVAL '" + (1 + random.nextInt(6)) + "' SECOND";
        };
    }

    private static String library() {
        StringBuilder text = new StringBuilder();
        for (LibraryQuery query : QueryLibrary.load().all()) {
            if (MergedLibraryTest.isReadable(query)) {
                text.append(MergedLibraryTest.text(query));
            }
        }
        return text.toString();
    }

    @Test
    void aRealCapturesRowsAreThoseOfOneEngine() throws Exception {
        String set = System.getenv("WEIR_TRACES");
        Path folder = set != null ? Path.of(set) : Path.of("..", "..", "..", "shared", "traces");
        Path capture = folder.resolve("captures/mixed/flowcontainer__1592993485_noise.pcap");
        assumeTrue(Files.exists(capture), "the shared captures are not here: skipped");
        long woken = compare(capture, library() + chains(new Random(seed)));
        assertTrue(woken > 0, "nothing woke, -Dweir.seed=" + seed);
    }
}
