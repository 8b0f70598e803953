package io.weir.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.bench.generate.TrafficShape;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CommandSuiteTest {
    /** The launcher would build: here its JVM is started with the same limits. */
    private static final List<String> LAUNCHER =
            List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-XX:+UseSerialGC",
                    "-Xmx224m",
                    "--add-exports",
                    "java.base/jdk.internal.misc=ALL-UNNAMED",
                    "-cp",
                    System.getProperty(
                            "surefire.test.class.path", System.getProperty("java.class.path")),
                    "io.weir.cluster.launcher.Weir");

    @TempDir private Path directory;

    @Test
    void theWholeCommandAnswersRightInItsHeap() throws Exception {
        TrafficShape shape = TrafficShape.of(300_000, 20_000, 29).withIpv6(30);
        List<Row> rows = new ArrayList<>();
        new CommandSuite(1, LAUNCHER, shape, directory, rows::add).run();
        assertEquals(1, rows.size());
        Row row = rows.get(0);
        assertTrue(row.hashOk());
        assertEquals(20_000L, row.what().get("groups"));
        assertTrue((long) row.more().get("rss_bytes") > 0);
    }
}
