package io.weir.cluster.kafka.heartbeat;

import io.weir.cluster.wire.Heartbeat;
import java.util.HashMap;
import java.util.Map;

/** Remembers the states of workers' queries, for heartbeats that do not repeat them. */
final class ReportedStates {
    /** The last heartbeat of each worker with its queries' states. */
    private final Map<String, Heartbeat> told = new HashMap<>();

    /** Returns the heartbeat with the states of its queries, if they are known. */
    Heartbeat whole(Heartbeat beat) {
        if (!beat.getStatesOmitted()) {
            told.put(beat.getWorker(), beat);
            return beat;
        }
        Heartbeat known = told.get(beat.getWorker());
        if (known == null
                || !known.getLife().equals(beat.getLife())
                || known.getStatesNumber() != beat.getStatesNumber()) {
            return beat;
        }
        return beat.toBuilder().addAllQuery(known.getQueryList()).setStatesOmitted(false).build();
    }

    void forget(String worker) {
        told.remove(worker);
    }
}
