package io.weir.cluster.merge;

import io.weir.ingest.source.CaptureSource;
import io.weir.ingest.source.SourceConfig;
import io.weir.ingest.source.SourceContext;
import io.weir.ingest.source.SourceSpec;
import io.weir.operators.node.LocalEngine;
import io.weir.operators.ring.BlockWriter;
import io.weir.operators.ring.SourceThrottle;
import java.nio.file.Path;
import java.util.List;

/** Captures through a test's engine, to their end. */
final class Reading {
    private Reading() {}

    static void all(LocalEngine engine, List<SourceSpec> inputs) {
        all(engine, engine.throttle(), engine.writers(), inputs);
    }

    static void all(LocalEngine engine, Path capture, String node) {
        all(engine, List.of(SourceSpec.pcap(node, capture)));
    }

    /**
     * @param writers of all partitions, also of those that are not this engine's
     */
    static void all(
            LocalEngine engine,
            SourceThrottle throttle,
            List<BlockWriter> writers,
            List<SourceSpec> inputs) {
        try (CaptureSource source =
                new CaptureSource(
                        inputs,
                        new SourceContext(
                                SourceConfig.DEFAULT,
                                writers,
                                engine.allocator(),
                                engine.account(),
                                throttle))) {
            while (source.step()) {
                engine.poll();
            }
        }
        engine.awaitEnd();
    }
}
