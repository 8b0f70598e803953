package io.weir.sql.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.graph.PartitionKey;
import io.weir.operators.graph.Query;
import io.weir.sql.SqlFrontend;
import io.weir.sql.Statement;
import io.weir.sql.catalog.MapCatalog;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.calcite.rel.RelDistribution;
import org.apache.calcite.rel.RelDistributions;
import org.apache.calcite.util.mapping.Mappings;
import org.junit.jupiter.api.Test;

/**
 * Whether a merge is left out, against Calcite's distribution trait. Of {@code hash[a]} Calcite
 * does not say that it is enough for groups by {@code a, b}; but it says so of groups by {@code a},
 * and those that are equal in both are equal in {@code a}. So each choice of the group's keys is
 * asked.
 */
class DistributionTest {
    private static final List<String> COLUMNS =
            List.of("src_port", "dst_port", "proto", "tcp_flags", "bytes");

    /** A key of a group: a column as it is, or something made of it. */
    private record GroupKey(int column, boolean plain) {
        String sql() {
            return plain ? COLUMNS.get(column) : COLUMNS.get(column) + " + 1";
        }
    }

    @Test
    void aMergeIsLeftOutWhereTheTraitSaysThatGroupsAreWhole() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        int spared = 0;
        for (int i = 0; i < 500; i++) {
            List<Integer> key = some(random, 1 + random.nextInt(2));
            List<GroupKey> group =
                    some(random, 1 + random.nextInt(COLUMNS.size())).stream()
                            .map(column -> new GroupKey(column, random.nextInt(4) > 0))
                            .toList();
            PartitionKey spread = new PartitionKey(key.stream().map(COLUMNS::get).toList());
            boolean whole = !spread.splitsGroups(parse(group));
            assertEquals(
                    traitHolds(group, distribution(key, group)),
                    whole,
                    () -> "seed " + seed + ": by " + group + ", spread by " + spread);
            spared += whole ? 1 : 0;
        }
        assertTrue(spared > 25 && spared < 475, "seed " + seed + " spared " + spared);
    }

    private static List<Integer> some(Random random, int many) {
        List<Integer> all = new ArrayList<>(IntStream.range(0, COLUMNS.size()).boxed().toList());
        Collections.shuffle(all, random);
        return all.subList(0, many);
    }

    private static Query parse(List<GroupKey> group) {
        List<String> keys = group.stream().map(GroupKey::sql).toList();
        String by = String.join(", ", keys);
        String text = "CREATE QUERY q AS SELECT COUNT(*) AS packets FROM packets GROUP BY " + by;
        Statement only = new SqlFrontend(new MapCatalog()).parse(text).get(0);
        return ((Statement.CreateQuery) only).query();
    }

    /** What Calcite says of the rows' distribution, once they have the group's keys for columns. */
    private static RelDistribution distribution(List<Integer> key, List<GroupKey> group) {
        Map<Integer, Integer> places = new HashMap<>();
        for (int k = 0; k < group.size(); k++) {
            if (group.get(k).plain()) {
                places.put(group.get(k).column(), k);
            }
        }
        RelDistribution spread = RelDistributions.hash(key.stream().sorted().toList());
        return spread.apply(Mappings.target(places, COLUMNS.size(), group.size()));
    }

    private static boolean traitHolds(List<GroupKey> group, RelDistribution rows) {
        return IntStream.range(1, 1 << group.size())
                .mapToObj(choice -> bits(choice, group.size()))
                .anyMatch(keys -> rows.satisfies(RelDistributions.hash(keys)));
    }

    private static List<Integer> bits(int choice, int many) {
        return IntStream.range(0, many).filter(b -> (choice >> b & 1) == 1).boxed().toList();
    }
}
