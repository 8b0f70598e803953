package io.weir.cluster.merge;

import io.weir.cluster.kafka.catalog.CatalogState;
import io.weir.cluster.placement.ClusterPlacement;
import io.weir.cluster.protocol.RowsPlace;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.When;
import io.weir.operators.graph.Window;
import io.weir.operators.result.QueryShape;
import java.util.List;
import java.util.stream.Stream;

/**
 * Decides where the rows of each query of a catalogue are made. The catalogue alone decides, so
 * workers and the merge agree. Immutable.
 */
public final class PartialRouting {
    private final CatalogState catalog;
    private final ClusterPlacement placement;

    public PartialRouting(CatalogState catalog) {
        this.catalog = catalog;
        this.placement = new ClusterPlacement(catalog, catalog.slicedNodes());
    }

    Query find(String name) {
        return catalog.find(name).orElseThrow();
    }

    /** Returns where a query's rows are made. A query over rows follows its upstream. */
    public RowsPlace made(Query query) {
        if (query.scan().of().isPresent()) {
            return RowsPlace.AFTER_SHARDS;
        } else if (query.reads().isOfQuery()) {
            Query upstream = catalog.find(query.scan().stream()).orElseThrow();
            return made(upstream) == RowsPlace.ON_WORKERS
                    ? RowsPlace.ON_WORKERS
                    : RowsPlace.AFTER_SHARDS;
        }
        ClusterPlacement.Where where = placement.where(query);
        boolean oneNode = where.nodes().filter(nodes -> nodes.size() <= 1).isPresent();
        if (isCombined(query.name())) {
            return RowsPlace.AFTER_SHARDS;
        } else if (oneNode && where.whole()) {
            return RowsPlace.ON_WORKERS;
        } else if (isRead(query)) {
            return RowsPlace.AFTER_SHARDS;
        } else if (where.whole()) {
            return RowsPlace.ON_WORKERS;
        }
        return RowsPlace.looksAcross(query) ? RowsPlace.AFTER_SHARDS : RowsPlace.IN_SHARDS;
    }

    /** Returns whether its rows are put together with others', itself or through other queries. */
    private boolean isCombined(String query) {
        return catalog.running().stream()
                .anyMatch(other -> combines(other, query) || isTestedTogether(other, query));
    }

    private boolean combines(Query other, String query) {
        return other.scan().queries().contains(query)
                && (other.scan().of().isPresent() || isCombined(other.name()));
    }

    /** Returns whether it is tested with rows of other queries that one node does not make. */
    private boolean isTestedTogether(Query other, String query) {
        return other.when()
                .filter(when -> when.isJoint() && when.upstreams().contains(query))
                .filter(when -> !areOfOneNode(when.upstreams()))
                .isPresent();
    }

    private boolean areOfOneNode(List<String> queries) {
        List<ClusterPlacement.Where> places =
                queries.stream().map(name -> placement.where(find(name))).toList();
        return places.stream().allMatch(ClusterPlacement.Where::isOneNode)
                && places.stream().map(ClusterPlacement.Where::nodes).distinct().count() == 1;
    }

    /** Returns whether a worker has all rows that a condition reads. Otherwise the merge does. */
    public boolean isTestedOnWorkers(When when) {
        return when.upstreams().stream().allMatch(one -> made(find(one)) == RowsPlace.ON_WORKERS);
    }

    /**
     * Returns the windows of queries whose rows are merged and tested for conditions. Other queries
     * may wake at their ends. If rows come later than their windows, the windows of the upstream
     * are included.
     */
    public List<Window> awaited() {
        return catalog.running().stream()
                .flatMap(query -> query.when().stream())
                .filter(when -> !isTestedOnWorkers(when))
                .flatMap(when -> when.upstreams().stream())
                .flatMap(upstream -> emissions(find(upstream)))
                .distinct()
                .toList();
    }

    /**
     * Returns the query's own windows and those of its upstream. Its rows are known at their ends.
     */
    private Stream<Window> emissions(Query query) {
        Stream<Window> own = Stream.of(QueryShape.emission(query));
        return Stream.concat(
                own, query.scan().queries().stream().flatMap(read -> emissions(find(read))));
    }

    /**
     * Returns whether all rows of its totals are needed at each tick. A query that aggregates over
     * them needs them, and a client's SELECT does if ticks must report the whole table.
     */
    public boolean isReadAsTable(Query query) {
        return QueryShape.tellsWholeTable(query)
                || catalog.running().stream()
                        .filter(other -> other.scan().queries().contains(query.name()))
                        .filter(other -> other.scan().isTable())
                        .anyMatch(o -> o.aggregate().isPresent() || isReadAsTable(o));
    }

    /** Returns whether a query, or a condition, reads its rows. */
    public boolean isRead(Query query) {
        return catalog.running().stream()
                .anyMatch(
                        other ->
                                other.scan().queries().contains(query.name())
                                        || other.when()
                                                .filter(w -> w.upstreams().contains(query.name()))
                                                .isPresent());
    }
}
