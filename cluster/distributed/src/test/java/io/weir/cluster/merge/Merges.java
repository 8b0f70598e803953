package io.weir.cluster.merge;

import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.catalog.KafkaCatalog;
import io.weir.cluster.kafka.heartbeat.AwaitedWorkers;
import io.weir.cluster.protocol.MergeStage;
import io.weir.ingest.cache.CacheConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;

/** Merge services for tests. */
final class Merges {

    private Merges() {}

    /**
     * Starts one.
     *
     * @param patience how long one is waited for who is behind others
     * @param directory its own
     */
    static MergeService start(
            KafkaSettings kafka,
            KafkaCatalog catalog,
            AwaitedWorkers workers,
            Duration patience,
            Path directory,
            Consumer<Throwable> failed) {
        MergeSettings settings =
                new MergeSettings(
                        directory.getFileName().toString(),
                        CacheConfig.DEFAULT.layouts(),
                        new MergeStage.Options(64L << 20, patience.toNanos()),
                        512L << 20,
                        ClusterRun.OPTIONS.delayNs(),
                        directory);
        return new MergeService(kafka, settings, catalog, workers, failed).start();
    }
}
