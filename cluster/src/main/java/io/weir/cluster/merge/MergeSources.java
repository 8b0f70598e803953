package io.weir.cluster.merge;

import io.weir.cluster.format.RowFormats;
import io.weir.cluster.kafka.catalog.CatalogState;
import io.weir.cluster.trigger.Triggers;
import java.util.Map;

/** What the tasks of an instance ask others for. Any thread. */
public interface MergeSources {
    /** The catalogue as it is now. */
    CatalogState catalog();

    /** The workers that are waited for, and whether each has windows that wait to be sent. */
    Map<String, Boolean> workers();

    /** Where what wakes is told. */
    Triggers triggers();

    /** How rows are written. */
    default RowFormats rows() {
        return RowFormats.PLAIN;
    }

    /** Creates the topic of a query's rows, if it is missing. */
    void ensureResults(String query);
}
