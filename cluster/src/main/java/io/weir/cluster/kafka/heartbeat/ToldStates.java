package io.weir.cluster.kafka.heartbeat;

import io.weir.cluster.wire.Heartbeat;
import java.util.HashMap;
import java.util.Map;

/** What workers have told of their queries' states, for the records that do not repeat it. */
final class ToldStates {
    /** The last record of each with its queries' states. */
    private final Map<String, Heartbeat> told = new HashMap<>();

    /** With the states of its queries, if it has told them. */
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
