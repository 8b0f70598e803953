package io.weir.cluster.service;

import io.weir.cluster.kafka.catalog.Definition;
import io.weir.cluster.node.BindingLine;
import io.weir.cluster.trigger.ToldActivations;
import io.weir.operators.graph.When;
import io.weir.operators.when.ActiveBinding;
import io.weir.operators.when.Waking;
import io.weir.operators.when.WhenState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Makes the rows of SHOW BINDINGS of a cluster. Stateless. */
final class ClusterBindings {
    private ClusterBindings() {}

    /**
     * Returns the bindings that count at a time.
     *
     * @param nowNs how far workers are; a later row of the query's own counts
     */
    static List<List<String>> rows(
            Collection<Definition> definitions, ToldActivations told, long nowNs) {
        List<List<String>> rows = new ArrayList<>();
        for (Definition one : definitions) {
            if (one.query().when().flatMap(When::correlation).isPresent()) {
                List<WhenState.Change> all = told.of(one.name(), one.version());
                long latestNs = all.stream().mapToLong(WhenState.Change::fromNs).max().orElse(0);
                long atNs = Math.max(nowNs, latestNs);
                all.stream()
                        .filter(change -> change.counts() && change.untilNs() > atNs)
                        .map(change -> BindingLine.of(one.query(), binding(one.name(), change)))
                        .forEach(rows::add);
            }
        }
        return rows;
    }

    private static ActiveBinding binding(String query, WhenState.Change change) {
        Waking waking = change.waking().orElseThrow();
        return new ActiveBinding(
                query,
                change.binding().values(),
                waking.values(),
                change.fromNs(),
                change.untilNs(),
                ActiveBinding.UNCOUNTED);
    }
}
