package io.weir.cluster.faults;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.time.Clock;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** Queries that come and go by the hundred while others count: twenty shapes, many literals. */
final class ManyQueries {
    /** The most queries at once. */
    private static final int AT_ONCE = 50;

    private static final List<String> KEYS =
            List.of(
                    "src_addr",
                    "dst_addr",
                    "src_addr, dst_addr",
                    "node_id, src_addr",
                    "proto, dst_port");
    private static final List<String> COUNTS =
            List.of(
                    "COUNT(*) AS n",
                    "SUM(bytes) AS n",
                    "COUNT(DISTINCT src_port) AS n",
                    "MAX(bytes) AS n");

    private ManyQueries() {}

    static void strike(Scene scene, int queries) throws InterruptedException, SQLException {
        Server server = scene.server();
        long before = server.count("SHOW QUERIES");
        long startedNs = Clock.SYSTEM.nanos();
        List<String> there = new ArrayList<>();
        for (int i = 0; i < queries; i++) {
            String name = "fleeting_" + i;
            server.execute("CREATE QUERY " + name + " AS " + select(scene, i));
            there.add(name);
            if (there.size() == AT_ONCE) {
                Collections.shuffle(there, scene.random());
                drop(server, there, AT_ONCE / 2);
            }
            if ((i + 1) % 100 == 0) {
                scene.say((i + 1) + " created");
            }
        }
        drop(server, there, there.size());
        double seconds = (Clock.SYSTEM.nanos() - startedNs) / 1e9;
        scene.say(
                String.format(
                        Locale.ROOT, "%d queries created and dropped in %.1f s", queries, seconds));
        long left = server.count("SHOW QUERIES") - before;
        if (left != 0) {
            throw new WeirException(ErrorCode.INTERNAL, left + " queries are left");
        }
    }

    private static void drop(Server server, List<String> names, int count)
            throws SQLException, InterruptedException {
        for (int i = 0; i < count; i++) {
            server.execute("DROP QUERY " + names.remove(names.size() - 1));
        }
    }

    /** Returns one of twenty shapes, with a literal by chance. */
    private static String select(Scene scene, int i) {
        String keys = KEYS.get(i % KEYS.size());
        String count = COUNTS.get(i / KEYS.size() % COUNTS.size());
        return "SELECT "
                + keys
                + ", "
                + count
                + " FROM packets WHERE bytes > "
                + scene.random().nextInt(1_000)
                + " GROUP BY TUMBLE(ts, INTERVAL '1' SECOND), "
                + keys;
    }
}
