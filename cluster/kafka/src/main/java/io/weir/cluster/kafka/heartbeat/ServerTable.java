package io.weir.cluster.kafka.heartbeat;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.weir.cluster.wire.Heartbeat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The servers with a merge that have reported. One thread at a time: its owner guards it. */
final class ServerTable {
    private final long forgottenAfterMs;
    private final Map<String, Seen> servers = new TreeMap<>();

    private record Seen(Heartbeat beat, long atNs) {
        long silentMs(long now) {
            return NANOSECONDS.toMillis(now - atNs);
        }
    }

    /**
     * @param forgottenAfterMs the silence after which a server is not known any more
     */
    ServerTable(long forgottenAfterMs) {
        this.forgottenAfterMs = forgottenAfterMs;
    }

    void heard(Heartbeat beat, long now) {
        if (servers.put(beat.getWorker(), new Seen(beat, now)) == null) {
            forget(now);
        }
    }

    /** Adds a server that was heard before this began, unless it was heard since. */
    void recall(Heartbeat beat, long atNs) {
        servers.putIfAbsent(beat.getWorker(), new Seen(beat, atNs));
    }

    private void forget(long now) {
        servers.values().removeIf(server -> server.silentMs(now) > forgottenAfterMs);
    }

    /** Returns the last heartbeats. */
    List<Heartbeat> all(long now) {
        forget(now);
        return servers.values().stream().map(Seen::beat).toList();
    }

    /** Returns the last heartbeats of those that were heard within that time. */
    List<Heartbeat> heardWithin(long ms, long now) {
        return servers.values().stream()
                .filter(server -> server.silentMs(now) <= ms)
                .map(Seen::beat)
                .toList();
    }
}
