package io.weir.cluster.merge;

import io.weir.cluster.kafka.catalog.CatalogState;
import io.weir.cluster.placement.ClusterPlacement;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.Window;
import io.weir.operators.merge.RowsMade;
import io.weir.operators.result.QueryShape;
import java.util.List;
import java.util.stream.Stream;

/**
 * Where the rows of each query of a catalogue are made, decided by the catalogue alone: so workers
 * and the merge agree. Immutable.
 */
public final class Leaving {
    private final CatalogState catalog;
    private final ClusterPlacement placement;

    public Leaving(CatalogState catalog) {
        this.catalog = catalog;
        this.placement = new ClusterPlacement(catalog, catalog.slicedNodes());
    }

    Query find(String name) {
        return catalog.find(name).orElseThrow();
    }

    /** Of a query over packets; of one over rows, where those are made. */
    public RowsMade made(Query query) {
        if (!query.readsPackets()) {
            Query upstream = catalog.find(query.scan().stream()).orElseThrow();
            return made(upstream) == RowsMade.ON_WORKERS
                    ? RowsMade.ON_WORKERS
                    : RowsMade.AFTER_SHARDS;
        }
        ClusterPlacement.Where where = placement.where(query);
        boolean oneNode = where.nodes().filter(nodes -> nodes.size() <= 1).isPresent();
        if (oneNode && where.whole()) {
            return RowsMade.ON_WORKERS;
        } else if (isRead(query)) {
            return RowsMade.AFTER_SHARDS;
        } else if (where.whole()) {
            return RowsMade.ON_WORKERS;
        }
        return RowsMade.looksAcross(query) ? RowsMade.AFTER_SHARDS : RowsMade.IN_SHARDS;
    }

    /**
     * Of queries whose rows are merged and tested for conditions: at the ends of these windows
     * others may wake, and where rows come later than their windows, at the ends of what they read.
     */
    public List<Window> awaited() {
        return catalog.queries().stream()
                .flatMap(query -> query.when().stream())
                .map(when -> find(when.upstream()))
                .filter(upstream -> made(upstream) != RowsMade.ON_WORKERS)
                .flatMap(this::emissions)
                .distinct()
                .toList();
    }

    /** Its own windows, and those of what it reads: by these its rows are known. */
    private Stream<Window> emissions(Query query) {
        Stream<Window> own = Stream.of(QueryShape.emission(query));
        return query.readsPackets()
                ? own
                : Stream.concat(own, emissions(find(query.scan().stream())));
    }

    /**
     * Whether all rows of its totals are wanted at each tick: by a query that aggregates over them,
     * or by who selects from it, where ticks have to tell the whole table.
     */
    public boolean isReadAsTable(Query query) {
        return QueryShape.tellsWholeTable(query)
                || catalog.queries().stream()
                        .filter(other -> other.scan().stream().equals(query.name()))
                        .filter(other -> other.scan().isTable())
                        .anyMatch(o -> o.aggregate().isPresent() || isReadAsTable(o));
    }

    /** Whether a query, or a condition, is over its rows. */
    public boolean isRead(Query query) {
        return catalog.queries().stream()
                .anyMatch(
                        other ->
                                other.scan().stream().equals(query.name())
                                        || other.when()
                                                .filter(w -> w.upstream().equals(query.name()))
                                                .isPresent());
    }
}
