package io.weir.cluster.placement;

import io.weir.operators.graph.Operator;
import io.weir.operators.graph.PartitionKey;
import io.weir.operators.graph.Query;
import io.weir.sql.catalog.Catalog;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Decides on which workers a query of the cluster runs, and whether each can finish its windows
 * alone. Only the query and the catalogue decide, so all processes agree.
 */
public final class ClusterPlacement {
    private final Catalog catalog;
    private final Set<String> sliced;

    /**
     * @param sliced nodes whose packets are spread over workers, in slices that move
     */
    public ClusterPlacement(Catalog catalog, Set<String> sliced) {
        this.catalog = catalog;
        this.sliced = Set.copyOf(sliced);
    }

    /**
     * A query's place.
     *
     * @param nodes whose workers run it; empty: all
     * @param whole whether no group, and no LIMIT, reaches over several nodes
     * @param reason for people
     */
    public record Where(Optional<Set<String>> nodes, boolean whole, String reason) {
        public Where {
            nodes = nodes.map(Set::copyOf);
        }

        /** Returns whether another node than these runs it. */
        public boolean isBeyond(Set<String> some) {
            return nodes.isEmpty() || !some.containsAll(nodes.get());
        }

        /** Returns whether one of these nodes runs it. */
        public boolean isOn(Set<String> some) {
            return nodes.isEmpty() || some.stream().anyMatch(nodes.get()::contains);
        }

        /** Returns whether the workers of one node make all its rows. */
        public boolean isOneNode() {
            return whole && nodes.isPresent() && nodes.get().size() <= 1;
        }
    }

    /** Returns the place as EXPLAIN shows it. */
    public String explain(Query query) {
        Where where = where(query);
        String nodes =
                where.nodes()
                        .map(some -> some.isEmpty() ? "no node" : String.join(", ", some))
                        .orElse("all nodes");
        return "runs on "
                + nodes
                + (where.whole() ? ", not merged: " : ", merged: ")
                + where.reason();
    }

    public Where where(Query query) {
        return query.reads().isSpread() ? overPackets(query) : overRows(query);
    }

    private Where overPackets(Query query) {
        Optional<Set<String>> pin = NodePin.of(query);
        Set<String> spread = new TreeSet<>(sliced);
        pin.ifPresent(spread::retainAll);
        if (!spread.isEmpty()) {
            // This holds even if no group is in two slices: the merge reports the losses of a slice
            // that moves.
            String reason = "slices of " + String.join(", ", spread) + " move between workers";
            return new Where(pin, false, reason);
        } else if (pin.isPresent() && pin.get().size() <= 1) {
            return new Where(pin, true, "it wants the packets of one node");
        } else if (hasLimit(query)) {
            return new Where(pin, false, "LIMIT looks at the rows of all nodes");
        } else if (query.over().isPresent()) {
            return new Where(pin, false, "OVER looks at the rows of all nodes");
        } else if (query.aggregate().isEmpty()) {
            return new Where(pin, true, "its rows are single packets");
        } else if (!query.isSplitBy(PartitionKey.NODE)) {
            return new Where(pin, true, "its groups are by node_id");
        }
        return new Where(pin, false, "nodes share groups: node_id is not among its keys");
    }

    private Where overRows(Query query) {
        if (query.scan().of().isPresent()) {
            return new Where(
                    Optional.empty(), false, "it puts rows together, of " + query.scan().stream());
        }
        String upstream = query.scan().stream();
        Where below = catalog.find(upstream).map(this::where).orElseThrow();
        boolean joins =
                query.aggregate().isPresent() || hasLimit(query) || query.over().isPresent();
        boolean whole = below.isOneNode() || below.whole() && !joins;
        String reason =
                whole
                        ? "it reads " + upstream + " where that runs"
                        : "it reads rows of " + upstream + " from several nodes";
        return new Where(below.nodes(), whole, reason);
    }

    private static boolean hasLimit(Query query) {
        return query.root() instanceof Operator.Sort sort
                && (sort.limit().isPresent() || sort.offset() > 0);
    }
}
