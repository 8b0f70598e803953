package io.weir.cluster.service;

import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.heartbeat.Heartbeats;
import io.weir.cluster.kafka.heartbeat.Pages;
import io.weir.cluster.merge.MergeService;
import io.weir.cluster.merge.MergeSettings;
import io.weir.cluster.metrics.Meter;
import io.weir.cluster.node.NodeSettings;
import io.weir.cluster.protocol.MergeStage;
import io.weir.cluster.wire.Heartbeat;
import io.weir.operators.account.Stage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * An instance of the merge beside a cluster's SQL. It shares the shards with the instances of other
 * servers, and waits for the workers that are alive.
 */
public final class MergeInstance implements AutoCloseable {
    private static final long MEMORY_BYTES = 1L << 30;

    private final Path directory;
    private final MergeService service;
    private final Heartbeats beats;

    /** Makes an instance that only logs the failures of its threads. */
    public MergeInstance(KafkaSettings kafka, ClusterNode node) {
        this(kafka, node, failure -> {});
    }

    /**
     * @param failed is told when one of its threads has failed; another takes its place
     */
    public MergeInstance(KafkaSettings kafka, ClusterNode node, Consumer<Throwable> failed) {
        try {
            this.directory = Files.createTempDirectory("weir-merge-");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        NodeSettings workers = NodeSettings.DEFAULT;
        MergeSettings settings =
                new MergeSettings(
                        UUID.randomUUID().toString(),
                        workers.layouts(),
                        MergeStage.Options.DEFAULT,
                        MEMORY_BYTES,
                        workers.engine().delayNs(),
                        directory);
        this.service =
                new MergeService(kafka, settings, node.catalog(), node.workers(), failed).start();
        this.beats =
                Heartbeats.ofServer(kafka, settings.instance(), () -> beat(node.author())).start();
        node.show(settings.instance(), () -> service.metrics().tasks(), service::stalls);
    }

    private Heartbeat.Builder beat(String server) {
        Heartbeat.Builder beat = Heartbeat.newBuilder().setOwner(server);
        for (Stage.Snapshot stage : service.account()) {
            beat.addStage(Pages.of(stage).setName(stage.stage()));
        }
        service.stalls().forEach(stall -> beat.addMergeStall(stall.text()));
        return beat;
    }

    /** Returns its meter: any thread. */
    public Meter meter() {
        return service.meter();
    }

    /** Waiting windows are in Kafka. The directory only had copies of them. */
    @Override
    public void close() {
        beats.close();
        service.close();
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
