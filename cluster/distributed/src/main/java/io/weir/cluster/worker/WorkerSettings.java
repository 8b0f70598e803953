package io.weir.cluster.worker;

import io.weir.cluster.disk.Patience;
import io.weir.cluster.kafka.catalog.SlicedReplay;
import io.weir.cluster.merge.MergeMessageEntries;
import io.weir.cluster.node.NodeSettings;
import io.weir.cluster.outbox.Outbox;
import io.weir.cluster.table.TableFolders;
import io.weir.ingest.source.SourceSpec;
import io.weir.ingest.source.Sources;
import io.weir.operators.node.EngineOptions;
import io.weir.operators.time.Clock;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The settings of a worker.
 *
 * @param name its place in the cluster: no two workers have the same
 * @param captures whose packets it counts; without them, live sources of the catalogue
 * @param slice set if it counts a slice of the captures, which other processes count otherwise
 * @param sole whether there is no other worker: then nothing reaches over several nodes
 * @param tables where files of lookup tables lie
 */
public record WorkerSettings(
        String name,
        List<SourceSpec> captures,
        NodeSettings node,
        ReplayOptions replay,
        Path outbox,
        long outboxBytes,
        Optional<Slice> slice,
        boolean sole,
        TableFolders tables) {
    /** A slice of a replay, and the node that has it now. */
    public record Slice(SlicedReplay replay, int number, String owner) {}

    /** Makes settings in which all packets of the captures are its own. */
    public WorkerSettings(
            String name,
            List<SourceSpec> captures,
            NodeSettings node,
            ReplayOptions replay,
            Path outbox,
            long outboxBytes,
            boolean sole) {
        this(
                name,
                captures,
                node,
                replay,
                outbox,
                outboxBytes,
                Optional.empty(),
                sole,
                TableFolders.none());
    }

    /**
     * Makes settings for one capture, whose node has the worker's name. The rest is as small as
     * possible.
     */
    public static WorkerSettings of(String name, Path capture, ReplayOptions replay, Path outbox) {
        List<SourceSpec> captures = List.of(SourceSpec.pcap(name, capture));
        NodeSettings node = NodeSettings.DEFAULT;
        return new WorkerSettings(name, captures, node, replay, outbox, Outbox.LEAST_BYTES, false);
    }

    public WorkerSettings {
        captures = List.copyOf(captures);
    }

    /** Returns the settings with another replay. */
    public WorkerSettings replaying(ReplayOptions other) {
        return new WorkerSettings(
                name, captures, node, other, outbox, outboxBytes, slice, sole, tables);
    }

    /** Returns the settings with other folders of tables. */
    public WorkerSettings withTables(TableFolders other) {
        return new WorkerSettings(
                name, captures, node, replay, outbox, outboxBytes, slice, sole, other);
    }

    /**
     * Returns the patience with a disk. Live packets do not wait; packets of a file that is read at
     * once do.
     */
    public Patience patience(Clock clock) {
        boolean waits = isLive() || isReadOnce() || !Double.isInfinite(replay.speed());
        return waits ? Patience.ofLivePackets(clock) : Patience.endless();
    }

    /** Returns whether packets wait until conditions are settled. */
    boolean settles() {
        return slice.filter(own -> own.replay().settles()).isPresent();
    }

    /** Returns whether its packets do not wait. Without sources of its own it has live ones. */
    boolean isLive() {
        return captures.isEmpty() || Sources.isLive(captures);
    }

    /** Returns whether its packets can be read only once. */
    boolean isReadOnce() {
        return Sources.isReadOnce(captures);
    }

    EngineOptions engine() {
        EngineOptions engine = node.engine();
        if (isLive()) {
            return engine.forLive(Sources.queues(captures));
        }
        return settles()
                ? engine.withThreads(node.threads().withResultsThread())
                : engine.forLive();
    }

    /**
     * Returns the name of its partials' outbox. A replay that was made again must not continue an
     * old one.
     */
    String partialsName() {
        String name = MergeMessageEntries.name(this.name);
        return slice.map(own -> name + " of " + own.replay().version()).orElse(name);
    }

    /** Returns the name of the place that publishes the wakes of its rows. */
    String triggersName() {
        return name + " triggers";
    }

    /** Returns the values of node_id in its packets. */
    Set<String> nodes() {
        Set<String> nodes = new TreeSet<>();
        if (captures.isEmpty()) {
            nodes.add(name);
        }
        captures.forEach(capture -> nodes.add(capture.node()));
        return nodes;
    }
}
