package io.weir.cluster.worker;

import io.weir.cluster.disk.Patience;
import io.weir.cluster.kafka.catalog.SlicedReplay;
import io.weir.cluster.merge.ParcelEntries;
import io.weir.cluster.node.Capture;
import io.weir.cluster.node.NodeSettings;
import io.weir.cluster.outbox.Outbox;
import io.weir.operators.node.EngineOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a worker is.
 *
 * @param name its place in the cluster: no two workers have the same
 * @param captures whose packets it counts
 * @param slice where it counts a slice of the captures, which others count when it does not
 * @param sole whether there is no other worker: then nothing reaches over several nodes
 */
public record WorkerSettings(
        String name,
        List<Capture> captures,
        NodeSettings node,
        ReplayOptions replay,
        Path outbox,
        long outboxBytes,
        Optional<Slice> slice,
        boolean sole) {
    /** A slice of a replay, and the node that has it now. */
    public record Slice(SlicedReplay replay, int number, String owner) {}

    /** All packets of its captures are its own. */
    public WorkerSettings(
            String name,
            List<Capture> captures,
            NodeSettings node,
            ReplayOptions replay,
            Path outbox,
            long outboxBytes,
            boolean sole) {
        this(name, captures, node, replay, outbox, outboxBytes, Optional.empty(), sole);
    }

    /** Of one capture, whose node has the worker's name; the rest is as small as it can be. */
    public static WorkerSettings of(String name, Path capture, ReplayOptions replay, Path outbox) {
        List<Capture> captures = List.of(new Capture(name, capture));
        NodeSettings node = NodeSettings.DEFAULT;
        return new WorkerSettings(name, captures, node, replay, outbox, Outbox.LEAST_BYTES, false);
    }

    public WorkerSettings {
        captures = List.copyOf(captures);
    }

    /** With another replay. */
    public WorkerSettings replaying(ReplayOptions other) {
        return new WorkerSettings(name, captures, node, other, outbox, outboxBytes, slice, sole);
    }

    /**
     * With a disk: packets that come when they come do not wait; those of a file that is read at
     * once do.
     */
    public Patience patience() {
        boolean live = captures.get(0).isPipe() || !Double.isInfinite(replay.speed());
        return live ? Patience.ofLivePackets() : Patience.endless();
    }

    /** Whether packets wait until conditions are settled. */
    boolean settles() {
        return slice.filter(own -> own.replay().settles()).isPresent();
    }

    EngineOptions engine() {
        EngineOptions engine = node.engine();
        return settles()
                ? engine.withThreads(node.threads().withResultsThread())
                : engine.forLive();
    }

    /** Of its partials' outbox: a replay that was made anew has nothing to go on with. */
    String partialsName() {
        String name = ParcelEntries.name(this.name);
        return slice.map(own -> name + " of " + own.replay().version()).orElse(name);
    }

    /** Whose place it is to tell what its rows wake. */
    String triggersName() {
        return name + " triggers";
    }

    /** What node_id says in its packets. */
    Set<String> nodes() {
        Set<String> nodes = new TreeSet<>();
        captures.forEach(capture -> nodes.add(capture.node()));
        return nodes;
    }
}
