package io.weir.operators.when;

import java.util.List;
import java.util.TreeMap;

/**
 * Numbers the activations of a query that uses values, and knows the interval in which it counts.
 * An interval lasts from the begin of one activation until all have ended. A number is at least the
 * time of its begin. So a process that takes the tests over, and knows none, makes later ones.
 */
final class Wakings {
    /** The ends of the interval's activations, with their number. */
    private final TreeMap<Long, Integer> ends = new TreeMap<>();

    private long latest;
    private long intervalNs = Long.MAX_VALUE;

    /** Makes the facts of an activation that a row begins. */
    Waking next(long fromNs, long untilNs, List<Object> values) {
        latest = Math.max(latest + 1, fromNs);
        ends.headMap(fromNs).clear();
        boolean goesOn = !ends.isEmpty() && ends.lastKey() > intervalNs;
        if (!goesOn) {
            ends.clear();
            intervalNs = fromNs;
        }
        ends.merge(untilNs, 1, Integer::sum);
        return new Waking(latest, intervalNs, values);
    }

    /** Takes over an activation that another process has begun. */
    void follow(Waking told, long untilNs) {
        latest = Math.max(latest, told.number());
        if (intervalNs == Long.MAX_VALUE || told.intervalNs() > intervalNs) {
            ends.clear();
            intervalNs = told.intervalNs();
        }
        if (told.intervalNs() == intervalNs) {
            ends.merge(untilNs, 1, Integer::sum);
        }
    }

    /** Moves the end of an activation. */
    void moved(Waking of, long oldNs, long newNs) {
        if (of.intervalNs() == intervalNs) {
            ends.computeIfPresent(oldNs, (end, count) -> count == 1 ? null : count - 1);
            ends.merge(newNs, 1, Integer::sum);
        }
    }

    void clear() {
        ends.clear();
        latest = 0;
        intervalNs = Long.MAX_VALUE;
    }
}
