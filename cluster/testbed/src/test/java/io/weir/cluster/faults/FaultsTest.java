package io.weir.cluster.faults;

import io.weir.cluster.demo.Stopping;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A cluster of real processes is broken on purpose, in each of the ways, and each of its rows
 * checked. What the machine does not allow is left out, as {@code weir cluster faults} says. Alone:
 * {@code -Dgroups=faults}.
 */
@Tag("faults")
class FaultsTest {
    private static final Path CAPTURE = Path.of("..", "..", "demo", "capture.pcap");

    /** Two of each shape; the other test has all. */
    private static final int QUERIES = 40;

    private static final int MANY_QUERIES = 1_000;

    @TempDir private Path directory;

    @Test
    void eachRowIsThereOnceWhateverBreaks() throws Exception {
        run(List.of(Fault.values()), 3, QUERIES);
    }

    /** Three orders of kills and starts; all packets are added up after each. */
    @Test
    void eachPacketIsToldOnceInAnyOrderOfKills() throws Exception {
        run(Collections.nCopies(3, Fault.COMBINATIONS), 1, QUERIES);
    }

    /** Twenty shapes, while packets flow. One broker: three would take most of two cores. */
    @Test
    void eachRowIsThereOnceWhileAThousandQueriesComeAndGo() throws Exception {
        run(List.of(Fault.MANY_QUERIES), 1, MANY_QUERIES);
    }

    private void run(List<Fault> faults, int brokers, int queries) throws Exception {
        long seed = Long.getLong("weir.seed", 4);
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        FaultRun.Options options =
                new FaultRun.Options(
                        directory,
                        CAPTURE,
                        faults,
                        seed,
                        brokers,
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
