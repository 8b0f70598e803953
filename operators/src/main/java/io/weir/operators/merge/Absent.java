package io.weir.operators.merge;

import java.util.Map;
import java.util.Set;

/**
 * Those that a window does not wait for, and that may have a part in it.
 *
 * @param behind who is expected and was given up, and how far it had come
 * @param begun who has said that it begins, and nothing since: up to which end windows lack it
 * @param retired who was taken out for good, and is not missed
 */
record Absent(Map<String, Long> behind, Map<String, Long> begun, Set<String> retired) {
    /** Who is gone, or says nothing, for so long of the windows' time is not missed any more. */
    static final long FORGOTTEN_NS = 3_600_000_000_000L;

    static final Absent NOBODY = new Absent(Map.of(), Map.of(), Set.of());

    boolean isBehind(String worker, long endNs) {
        return endNs > behind.getOrDefault(worker, Long.MAX_VALUE);
    }

    boolean hasBegun(String worker, long endNs) {
        Long untilNs = begun.get(worker);
        return untilNs != null && (endNs <= untilNs || endNs == Long.MAX_VALUE);
    }
}
