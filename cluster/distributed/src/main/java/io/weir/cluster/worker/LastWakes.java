package io.weir.cluster.worker;

import io.weir.cluster.wire.Wakes;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Counts how often queries were woken here, and when last, for people. Thread-safe. */
final class LastWakes {
    private final Map<String, Wakes> latest = new ConcurrentHashMap<>();

    void woken(String query, long fromNs) {
        latest.merge(
                query,
                Wakes.newBuilder().setCount(1).setFromNs(fromNs).build(),
                (before, now) -> now.toBuilder().setCount(before.getCount() + 1).build());
    }

    void until(String query, long untilNs) {
        latest.computeIfPresent(
                query, (name, wakes) -> wakes.toBuilder().setUntilNs(untilNs).build());
    }

    Optional<Wakes> of(String query) {
        return Optional.ofNullable(latest.get(query));
    }
}
