package io.weir.sql.plan;

import io.weir.operators.graph.Expr.Variable;
import io.weir.operators.graph.Operator.Named;
import io.weir.operators.graph.PartitionKey;
import io.weir.sql.catalog.Stream;
import io.weir.sql.catalog.Streams;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.calcite.rel.RelDistribution;
import org.apache.calcite.rel.RelDistributions;
import org.apache.calcite.util.mapping.Mappings;

/**
 * Finds the partition keys under which a query's groups need no merge, with Calcite's distribution
 * trait. Packets are spread by a hash of columns. If each of these columns is among the group's
 * keys unchanged, no group is in two parts.
 */
final class Distribution {
    private Distribution() {}

    static Set<PartitionKey> wholeBy(Stream stream, List<Named> keys) {
        if (!stream.type().isSpread()) {
            return Set.of(); // rows of a query are not spread by any key
        }
        return Arrays.stream(PartitionKey.values())
                .filter(key -> isKept(key.columns(), keys))
                .collect(Collectors.toUnmodifiableSet());
    }

    /**
     * Returns whether packets that are spread by these columns are also spread by the resulting
     * keys.
     */
    static boolean isKept(List<String> spreadBy, List<Named> keys) {
        List<String> packets = Streams.packets().columns().stream().map(Variable::name).toList();
        Map<Integer, Integer> places = new HashMap<>();
        for (int k = 0; k < keys.size(); k++) {
            if (keys.get(k).expr() instanceof Variable column) {
                places.put(packets.indexOf(column.name()), k);
            }
        }
        RelDistribution spread =
                RelDistributions.hash(spreadBy.stream().map(packets::indexOf).sorted().toList());
        RelDistribution grouped =
                spread.apply(Mappings.target(places, packets.size(), keys.size()));
        return grouped.getType() == RelDistribution.Type.HASH_DISTRIBUTED;
    }
}
