package io.weir.cluster.kafka.catalog;

import io.weir.operators.graph.Query;
import io.weir.operators.graph.SubQueryNames;
import java.util.OptionalLong;

/**
 * A query of the cluster's catalogue.
 *
 * @param version grows with every edit of the catalogue, and is the same for all readers
 * @param place in the order of definitions
 * @param pausedVersion of a paused query, which counts nothing: the version that has counted last
 */
public record Definition(Query query, long version, long place, OptionalLong pausedVersion) {
    /** Makes a definition of a query that counts. */
    public Definition(Query query, long version, long place) {
        this(query, version, place, OptionalLong.empty());
    }

    public boolean paused() {
        return pausedVersion.isPresent();
    }

    /** Returns the version whose rows are the newest. */
    public long rowsVersion() {
        return pausedVersion.orElse(version);
    }

    public String name() {
        return query.name();
    }

    /** Returns whether it is a sub-query, whose rows stay inside. */
    public boolean isSubQuery() {
        return SubQueryNames.isOne(query.name());
    }
}
