package io.weir.cluster.worker;

import io.weir.cluster.node.Capture;
import io.weir.cluster.node.NodeSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a worker is.
 *
 * @param name its place in the cluster: no two workers have the same
 * @param captures whose packets it counts
 * @param sole whether there is no other worker: then nothing reaches over several nodes
 */
public record WorkerSettings(
        String name,
        List<Capture> captures,
        NodeSettings node,
        ReplayOptions replay,
        Path outbox,
        long outboxBytes,
        boolean sole) {
    public WorkerSettings {
        captures = List.copyOf(captures);
    }

    /** What node_id says in its packets. */
    Set<String> nodes() {
        Set<String> nodes = new TreeSet<>();
        captures.forEach(capture -> nodes.add(capture.node()));
        return nodes;
    }
}
