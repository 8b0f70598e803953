package io.weir.cluster.faults;

import io.weir.cluster.demo.Stopping;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A cluster of real processes is broken on purpose, and each of its rows checked: those faults that
 * need nothing of the machine. Alone: {@code -Dgroups=faults}; all faults: {@code weir cluster
 * faults}.
 */
@Tag("faults")
class FaultsTest {
    private static final Path CAPTURE = Path.of("..", "demo", "capture.pcap");

    @TempDir private Path directory;

    @Test
    void eachRowIsThereOnceWhateverBreaks() throws Exception {
        long seed = Long.getLong("weir.seed", 4);
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        FaultRun.Options options =
                new FaultRun.Options(
                        directory,
                        CAPTURE,
                        Fault.quick(),
                        seed,
                        1,
                        1,
                        Duration.ZERO,
                        Optional.empty());
        try (PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8)) {
            new FaultRun(options, out, new Stopping()).run();
        } catch (Exception e) {
            throw new AssertionError(
                    "seed " + seed + "\n" + said.toString(StandardCharsets.UTF_8), e);
        }
    }
}
