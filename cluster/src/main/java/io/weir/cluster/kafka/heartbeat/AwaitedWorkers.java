package io.weir.cluster.kafka.heartbeat;

import java.util.Map;

/** Those whose windows the merge waits for. Any thread. */
@FunctionalInterface
public interface AwaitedWorkers {
    /** All windows of a worker that has ended are in Kafka. */
    long ENDED_NS = Long.MAX_VALUE - 1;

    /**
     * Who is waited for now.
     *
     * @return each with the event time up to which its windows are on their way: all of them
     *     ({@link Long#MAX_VALUE}) while some wait to be sent; else those that it says are in
     *     Kafka, {@link Long#MIN_VALUE} for none
     */
    Map<String, Long> awaited();

    /** The process that a worker is now, as it tells; empty where that is not known. */
    default String life(String worker) {
        return "";
    }

    /** How long anybody was heard, by and large: a clock that stands while all are silent. */
    default long heardForNs() {
        return System.nanoTime();
    }
}
