package io.weir.cluster.merge;

import io.weir.cluster.node.PcapFile;
import java.nio.file.Path;
import java.util.Random;

/** A random capture with gaps, and queries that wake each other over them. */
final class GapStory {
    private static final long MS_NS = 1_000_000;

    private final Random random;
    private final PcapFile capture = new PcapFile();
    private final String sql;

    GapStory(Random random) {
        this.random = random;
        int forMs = oneOf(100, 500, 700, 2000, 5000);
        sql = sql("FOR INTERVAL '" + forMs + "' MILLISECOND");
        int delayMs = (int) (ClusterRun.OPTIONS.delayNs() / MS_NS);
        int longestMs = 2 * forMs + 2 * delayMs + 2000;
        long nowMs = 0;
        for (int p = 10 + random.nextInt(60); p > 0; p--) {
            nowMs += 1 + random.nextInt(random.nextInt(5) == 0 ? longestMs : 300);
            packet(nowMs);
        }
    }

    private int oneOf(int... values) {
        return values[random.nextInt(values.length)];
    }

    private void packet(long nowMs) {
        boolean back = random.nextInt(8) == 0;
        long atMs = Math.max(0, nowMs - (back ? random.nextInt(400) : 0));
        int source = 0x0a000000 + random.nextInt(5);
        int destination = 0x0a010000 + random.nextInt(3);
        capture.udp(atMs * MS_NS, source, destination, random.nextInt(2), 100);
    }

    private String sql(String ends) {
        return query("up", "", "")
                + query("totals", null, "")
                + query("by_port", ", dst_port", " WHEN up.n > " + random.nextInt(3) + ' ' + ends)
                + query("total", null, " WHEN up.n > " + random.nextInt(3) + ' ' + ends)
                + query("by_flow", ", src_addr, dst_addr", " WHEN totals.n > 2 " + ends)
                + query("until_few", ", dst_port", " WHEN up.n > 1 UNTIL up.n < 3")
                + query("over_total", ", dst_port", " WHEN total.n > 2 " + ends)
                + query("chained", ", dst_port", " WHEN by_port.n > 0 " + ends)
                + "CREATE QUERY sums AS SELECT window_end, SUM(n) AS n FROM by_port GROUP BY "
                + window("window_end")
                + ";\n"
                + query("over_sums", ", dst_port", " WHEN sums.n > 2 " + ends);
    }

    /**
     * One that counts packets.
     *
     * @param keys null: of running totals
     */
    private String query(String name, String keys, String when) {
        String groups =
                keys == null
                        ? " dst_port, COUNT(*) AS n FROM packets GROUP BY dst_port"
                        : " window_end"
                                + keys
                                + ", COUNT(*) AS n FROM packets GROUP BY "
                                + window("ts")
                                + keys;
        String since = when.isEmpty() ? "" : " active_from,";
        return "CREATE QUERY " + name + " AS SELECT" + since + groups + when + ";\n";
    }

    private String window(String column) {
        int ms = oneOf(200, 500, 1000, 1500);
        return random.nextInt(3) == 0
                ? String.format(
                        "HOP(%s, INTERVAL '%d' MILLISECOND, INTERVAL '%d' MILLISECOND)",
                        column, ms, 2 * ms)
                : String.format("TUMBLE(%s, INTERVAL '%d' MILLISECOND)", column, ms);
    }

    /** Statements, each after those that it names. */
    String sql() {
        return sql;
    }

    Path write(Path file) {
        return capture.write(file);
    }
}
