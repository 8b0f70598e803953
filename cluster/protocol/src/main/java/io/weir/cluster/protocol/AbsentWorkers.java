package io.weir.cluster.protocol;

import java.util.Map;
import java.util.Set;

/**
 * Sources that a window does not wait for, and that may have a part in it.
 *
 * @param behind expected sources that were given up, with how far they had come
 * @param begun sources that have only reported their begin, with the end up to which windows lack
 *     them
 * @param retired sources that were taken out for good, and are not missed
 */
record AbsentWorkers(Map<String, Long> behind, Map<String, Long> begun, Set<String> retired) {
    /** A source that is gone, or silent, for so long of the windows' time is no longer missed. */
    static final long FORGOTTEN_NS = 3_600_000_000_000L;

    static final AbsentWorkers NOBODY = new AbsentWorkers(Map.of(), Map.of(), Set.of());

    boolean isBehind(String worker, long endNs) {
        return endNs > behind.getOrDefault(worker, Long.MAX_VALUE);
    }

    boolean hasBegun(String worker, long endNs) {
        Long untilNs = begun.get(worker);
        return untilNs != null && (endNs <= untilNs || endNs == Long.MAX_VALUE);
    }
}
