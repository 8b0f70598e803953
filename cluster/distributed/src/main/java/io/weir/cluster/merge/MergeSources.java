package io.weir.cluster.merge;

import io.weir.cluster.format.RowFormats;
import io.weir.cluster.kafka.catalog.CatalogState;
import io.weir.cluster.trigger.TriggerWriter;
import io.weir.operators.time.Clock;
import java.util.Map;

/** Gives the tasks of an instance the data and services of others. Any thread. */
public interface MergeSources {
    /** Returns the catalogue as it is now. */
    CatalogState catalog();

    /**
     * Returns the workers that the merge waits for. Each has the event time up to which its windows
     * are on their way, as far as it has reported.
     */
    Map<String, Long> workers();

    /** Returns the id of a worker's current process, as it reports; empty if it is not known. */
    default String life(String worker) {
        return "";
    }

    /** Returns the clock of the rows. */
    default Clock clock() {
        return Clock.SYSTEM;
    }

    /** Returns how long any worker was heard: a clock that stands still while Kafka is away. */
    long heardForNs();

    /**
     * Returns the writer of triggers for a task that begins, until it is closed. No other writer
     * exists meanwhile.
     */
    TriggerWriter triggers();

    /** Returns the formats of rows. */
    default RowFormats rows() {
        return RowFormats.PLAIN;
    }
}
