package io.weir.cluster.faults;

import io.weir.cluster.demo.Stopping;
import io.weir.cluster.kafka.KafkaSettings;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Runs of {@code weir cluster faults} over the demo's capture, each of whose rows is checked. */
final class CheckedRun {
    private static final Path CAPTURE = Path.of("..", "..", "demo", "capture.pcap");

    /** Two of each shape; one test has more. */
    static final int QUERIES = 40;

    private CheckedRun() {}

    static void of(Path directory, List<Fault> faults, int brokers, int queries) throws Exception {
        long seed = Long.getLong("weir.seed", 4);
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        FaultRun.Options options =
                new FaultRun.Options(
                        directory,
                        CAPTURE,
                        faults,
                        seed,
                        brokers,
                        KafkaSettings.SHARDS,
                        queries,
                        Duration.ZERO,
                        Duration.ZERO,
                        Optional.empty());
        try (PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8)) {
            new FaultRun(options, out, new Stopping()).run();
        } catch (Exception e) {
            String all = said.toString(StandardCharsets.UTF_8);
            throw new AssertionError("seed " + seed + "\n" + all + e.getMessage(), e);
        }
        System.out.print(said.toString(StandardCharsets.UTF_8));
    }
}
