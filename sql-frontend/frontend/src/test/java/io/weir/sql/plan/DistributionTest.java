package io.weir.sql.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.graph.Operator.Aggregate;
import io.weir.operators.graph.Operator.Named;
import io.weir.operators.graph.PartitionKey;
import io.weir.operators.graph.Query;
import io.weir.operators.interpret.Evaluator;
import io.weir.sql.SqlFrontend;
import io.weir.sql.catalog.MapCatalog;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whether a merge is left out, against packets: they are spread, and each group is looked for. */
class DistributionTest {
    private static final List<String> COLUMNS =
            List.of("src_port", "dst_port", "proto", "tcp_flags", "bytes");

    @Test
    void aMergeIsLeftOutWhereNoGroupIsInTwoParts() {
        long seed = Long.getLong("weir.seed", 1);
        Random random = new Random(seed);
        List<Map<String, Long>> packets =
                Stream.generate(() -> packet(random)).limit(1000).toList();
        int spared = 0;
        for (int i = 0; i < 300; i++) {
            List<String> key = some(random, 2);
            List<String> group =
                    some(random, 6).stream()
                            .map(column -> random.nextInt(4) > 0 ? column : column + " % 2")
                            .toList();
            List<Named> keys = aggregate(group).keys();
            boolean whole = Distribution.isKept(key, keys);
            assertEquals(
                    mostParts(packets, key, keys) == 1,
                    whole,
                    () -> "-Dweir.seed=" + seed + ": by " + group + ", spread by " + key);
            spared += whole ? 1 : 0;
        }
        assertTrue(spared > 25 && spared < 275, "-Dweir.seed=" + seed + " spared " + spared);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    SELECT COUNT(*) AS n FROM packets GROUP BY dst_addr, proto, src_addr | ADDRESSES
                    SELECT COUNT(*) AS n FROM packets GROUP BY src_addr, node_id         | NODE
                    SELECT COUNT(*) AS n FROM packets                                    |
                    SELECT DISTINCT src_addr, dst_addr FROM packets                      | ADDRESSES
                    SELECT packets FROM flows                                   | ADDRESSES NODE
                    SELECT SUM(packets) AS n FROM flows GROUP BY node_id        | NODE
                    SELECT COUNT(*) AS n FROM pairs GROUP BY src_addr, dst_addr |
                    """)
    void thePlannerSaysByWhichKeysGroupsAreWhole(String sql, String keys) {
        Set<String> whole =
                query(sql).aggregate().orElseThrow().wholeBy().stream()
                        .map(PartitionKey::name)
                        .collect(Collectors.toSet());
        assertEquals(keys == null ? Set.of() : Set.of(keys.split(" ")), whole);
    }

    private static Map<String, Long> packet(Random random) {
        Map<String, Long> packet = new HashMap<>();
        COLUMNS.forEach(column -> packet.put(column, (long) random.nextInt(4)));
        return packet;
    }

    private static List<String> some(Random random, int atMost) {
        return random.ints(1 + random.nextInt(atMost), 0, COLUMNS.size())
                .distinct()
                .mapToObj(COLUMNS::get)
                .toList();
    }

    private static Aggregate aggregate(List<String> group) {
        String by = String.join(", ", group);
        return query("SELECT COUNT(*) AS n FROM packets GROUP BY " + by).aggregate().orElseThrow();
    }

    private static Query query(String sql) {
        MapCatalog catalog = new MapCatalog();
        SqlFrontend frontend = new SqlFrontend(catalog);
        catalog.put(
                frontend.parseQuery("SELECT src_addr, dst_addr, ts FROM packets", Map.of())
                        .query());
        return frontend.parseQuery(sql.replace("pairs", "query"), Map.of()).query();
    }

    /** In how many parts the group is that is in most: one for each value of the spread's key. */
    private static int mostParts(
            List<Map<String, Long>> packets, List<String> spreadBy, List<Named> keys) {
        Map<List<Object>, Set<List<Object>>> parts = new HashMap<>();
        for (Map<String, Long> packet : packets) {
            List<Object> group = new ArrayList<>();
            keys.forEach(
                    key -> group.add(Evaluator.evaluate(key.expr(), v -> packet.get(v.name()))));
            List<Object> part = new ArrayList<>();
            spreadBy.forEach(column -> part.add(packet.get(column)));
            parts.computeIfAbsent(group, g -> new HashSet<>()).add(part);
        }
        return parts.values().stream().mapToInt(Set::size).max().orElseThrow();
    }
}
