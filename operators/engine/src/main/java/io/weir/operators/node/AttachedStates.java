package io.weir.operators.node;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/** The states on pipelines that have not finished. Any thread. */
final class AttachedStates {
    private final Set<AttachedQuery> states = ConcurrentHashMap.newKeySet();

    void add(AttachedQuery state) {
        states.add(state);
    }

    void addAll(Collection<AttachedQuery> more) {
        states.addAll(more);
    }

    void remove(AttachedQuery state) {
        states.remove(state);
    }

    int size() {
        return states.size();
    }

    /** Returns the native memory of open windows by query. */
    Map<String, Long> bytes() {
        Map<String, Long> bytes = new TreeMap<>();
        states.forEach(state -> bytes.merge(state.query(), state.bytes(), Long::sum));
        return bytes;
    }

    void discard() {
        List.copyOf(states).forEach(AttachedQuery::discard);
    }
}
