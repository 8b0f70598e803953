package io.weir.cluster.merge;

import io.weir.ingest.source.CaptureInput;
import io.weir.ingest.source.CaptureSource;
import io.weir.ingest.source.SourceConfig;
import io.weir.operators.node.LocalEngine;
import io.weir.operators.pipeline.Pace;
import io.weir.operators.ring.BlockWriter;
import java.nio.file.Path;
import java.util.List;

/** Captures through a test's engine, to their end. */
final class Reading {
    private Reading() {}

    static void all(LocalEngine engine, List<CaptureInput> inputs) {
        all(engine, engine.pace(), engine.writers(), inputs);
    }

    static void all(LocalEngine engine, Path capture, String node) {
        all(engine, List.of(new CaptureInput(capture, node)));
    }

    /**
     * @param writers of all partitions, also of those that are not this engine's
     */
    static void all(
            LocalEngine engine, Pace pace, List<BlockWriter> writers, List<CaptureInput> inputs) {
        try (CaptureSource source =
                new CaptureSource(
                        inputs,
                        SourceConfig.DEFAULT,
                        writers,
                        engine.allocator(),
                        engine.account(),
                        pace)) {
            source.run();
        }
        engine.awaitEnd();
    }
}
