package io.weir.cluster.merge;

import io.weir.cluster.format.RowFormats;
import io.weir.cluster.kafka.catalog.CatalogState;
import io.weir.cluster.trigger.TriggerWriter;
import java.util.Map;

/** What the tasks of an instance ask others for. Any thread. */
public interface MergeSources {
    /** The catalogue as it is now. */
    CatalogState catalog();

    /**
     * The workers that are waited for, each with the event time up to which its windows are on
     * their way, as far as it has told.
     */
    Map<String, Long> workers();

    /** The process that a worker is now, as it tells; empty where that is not known. */
    default String life(String worker) {
        return "";
    }

    /** How long any worker was heard: a clock that stands while Kafka is away. */
    long heardForNs();

    /** Where a task that begins tells what wakes, until it is closed: no other does, then. */
    TriggerWriter triggers();

    /** How rows are written. */
    default RowFormats rows() {
        return RowFormats.PLAIN;
    }
}
