package io.weir.cluster.kafka.heartbeat;

import io.weir.operators.time.Stopwatch;
import java.util.Map;

/** The workers whose windows the merge waits for. Any thread. */
@FunctionalInterface
public interface AwaitedWorkers {
    /** Runs since this was loaded. Only differences mean something. */
    Stopwatch RUNNING = Stopwatch.started();

    /** The time of an ended worker, whose windows are all in Kafka. */
    long ENDED_NS = Long.MAX_VALUE - 1;

    /**
     * Returns the workers that are waited for now.
     *
     * @return each with the event time up to which its windows are on their way. It is all of them
     *     ({@link Long#MAX_VALUE}) while some wait to be sent. Otherwise it is the time that it
     *     reports as in Kafka, or {@link Long#MIN_VALUE}
     */
    Map<String, Long> awaited();

    /** Returns the id of a worker's current process, as it reports; empty if it is not known. */
    default String life(String worker) {
        return "";
    }

    /**
     * Returns the time in which any worker was heard: a clock that stands still while all are
     * silent.
     */
    default long heardForNs() {
        return RUNNING.ns();
    }
}
