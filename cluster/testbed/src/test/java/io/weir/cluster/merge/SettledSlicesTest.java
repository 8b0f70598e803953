package io.weir.cluster.merge;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Worker processes that share the demo's capture give, row by row, what one engine says of it. */
@Timeout(900)
final class SettledSlicesTest extends SettledSlices {
    private static final Path DEMO = Path.of("..", "..", "demo");

    @Test
    void theDemosRowsAreThoseOfOneEngine() throws Exception {
        Path capture = DEMO.resolve("capture.pcap");
        assumeTrue(Files.exists(capture), "the demo's capture is not here: skipped");
        compare(capture, Files.readString(DEMO.resolve("demo.sql")));
    }
}
