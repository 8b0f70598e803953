package io.weir.cluster.merge;

import io.weir.cluster.protocol.MergeStage;
import io.weir.operators.gpv.GpvLayout;
import java.nio.file.Path;
import java.util.List;

/**
 * The settings of an instance of the merge.
 *
 * @param instance its name; no two have the same
 * @param layouts of the GPVs of workers: queries are compiled for these
 * @param memoryBytes bound of all native memory of the instance
 * @param delayNs from the end of a window until no packet of before it can come; as on the workers
 * @param directory for the files of Kafka Streams
 */
public record MergeSettings(
        String instance,
        List<GpvLayout> layouts,
        MergeStage.Options stage,
        long memoryBytes,
        long delayNs,
        Path directory) {
    public MergeSettings {
        layouts = List.copyOf(layouts);
    }
}
