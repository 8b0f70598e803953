package io.weir.operators.when;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Bindings by the time after which nobody needs them. A full set finds room without a search. */
final class EndOrder {
    private final Map<Binding, Long> times = new HashMap<>();
    private final TreeMap<Long, Set<Binding>> byTime = new TreeMap<>();

    /** Sets the time of a binding. */
    void put(Binding binding, long timeNs) {
        Long old = times.put(binding, timeNs);
        if (old == null || old != timeNs) {
            if (old != null) {
                remove(binding, old);
            }
            byTime.computeIfAbsent(timeNs, t -> new LinkedHashSet<>()).add(binding);
        }
    }

    private void remove(Binding binding, long timeNs) {
        Set<Binding> same = byTime.get(timeNs);
        same.remove(binding);
        if (same.isEmpty()) {
            byTime.remove(timeNs);
        }
    }

    /** Removes and returns a binding whose time is before this one: the earliest. */
    Optional<Binding> takeBefore(long timeNs) {
        if (byTime.isEmpty() || byTime.firstKey() >= timeNs) {
            return Optional.empty();
        }
        Binding first = byTime.firstEntry().getValue().iterator().next();
        remove(first, times.remove(first));
        return Optional.of(first);
    }

    void clear() {
        times.clear();
        byTime.clear();
    }
}
