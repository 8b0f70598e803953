package io.weir.cluster.testbed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.demo.Processes;
import io.weir.cluster.launcher.ExitCode;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code weir cluster demo} as whoever tries Weir runs it, with the processes that it starts.
 * Alone: {@code -Dgroups=faults}.
 */
@Tag("faults")
@Timeout(600)
class ClusterDemoTest {
    private static final Path DEMO = Path.of("..", "..", "demo");

    /** Brokers, servers and workers. */
    private static final int PROCESSES = 8;

    @TempDir private Path directory;
    private final Set<ProcessHandle> children = new HashSet<>();

    /** How it ended, and what it said. */
    private record Ended(int code, String said) {}

    private Ended demo(Path sql, String time) throws Exception {
        try (Processes processes = new Processes(directory)) {
            Processes.Started demo =
                    processes.start(
                            "demo",
                            List.of("-Xmx256m"),
                            "cluster",
                            "demo",
                            "--pcap",
                            DEMO.resolve("capture.pcap").toString(),
                            "--sql",
                            sql.toString(),
                            "--time",
                            time,
                            "--directory",
                            directory.resolve("cluster").toString());
            while (!demo.process().waitFor(100, TimeUnit.MILLISECONDS)) {
                demo.process().descendants().forEach(children::add);
            }
            return new Ended(demo.process().exitValue(), String.join("\n", demo.lines()));
        }
    }

    private void assertNothingRuns(String said) {
        assertTrue(children.size() >= PROCESSES, children.size() + " processes: " + said);
        assertEquals(List.of(), children.stream().filter(ProcessHandle::isAlive).toList(), said);
    }

    private static boolean hasRows(String said, String query) {
        return Pattern.compile("first rows of " + query + ":\n +\\w.*\n +\\S").matcher(said).find();
    }

    @Test
    void theChainFiresAndNothingIsLeftRunning() throws Exception {
        Ended ended = demo(DEMO.resolve("cluster.sql"), "4m");
        assertEquals(0, ended.code(), ended.said());
        for (String query : List.of("q1", "q2", "q3", "q4", "everywhere")) {
            assertTrue(hasRows(ended.said(), query), query + ": " + ended.said());
        }
        assertNothingRuns(ended.said());
    }

    /** The demo runs on interfaces, with programs in network namespaces. Nothing of it stays. */
    @Test
    void theLiveVariantFiresToo() throws Exception {
        Assumptions.assumeTrue("root".equals(System.getProperty("user.name")), "needs root");
        for (String program : List.of("ip", "iperf3", "curl", "hping3", "python3")) {
            Assumptions.assumeTrue(isThere(program), "needs " + program);
        }
        Path log = directory.resolve("said");
        ProcessBuilder demo =
                new ProcessBuilder(
                        DEMO.resolve("cluster-live.sh").toAbsolutePath().toString(),
                        "--time",
                        "4m");
        demo.environment().put("WEIR", launcher().toString());
        Process running = demo.redirectErrorStream(true).redirectOutput(log.toFile()).start();
        while (!running.waitFor(100, TimeUnit.MILLISECONDS)) {
            running.descendants().forEach(children::add);
        }
        String said = Files.readString(log);
        assertEquals(0, running.exitValue(), said);
        for (String query : List.of("q1", "q2", "q3", "q4", "everywhere")) {
            assertTrue(hasRows(said, query), query + ": " + said);
        }
        assertTrue(said.contains("Node2 | afpacket:tap2"), said);
        for (ProcessHandle child : children) {
            child.onExit().get(20, TimeUnit.SECONDS); // the script's own ends a moment later
        }
        assertNothingRuns(said);
        assertFalse(namespaces().contains("-" + running.pid()), namespaces());
    }

    private static boolean isThere(String program) {
        return Stream.of("/bin", "/sbin", "/usr/bin", "/usr/sbin")
                .anyMatch(folder -> Files.exists(Path.of(folder, program)));
    }

    private static String namespaces() throws IOException {
        Process list = new ProcessBuilder("ip", "netns").redirectErrorStream(true).start();
        return new String(list.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    /** Makes a program that does as {@code ./weir}, and builds nothing. */
    private Path launcher() throws IOException {
        List<String> java = new ArrayList<>();
        java.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(option -> !option.startsWith("-Xmx"))
                .forEach(java::add);
        java.addAll(List.of("-Xmx256m", "-cp", System.getProperty("java.class.path")));
        java.add("io.weir.cluster.launcher.Weir");
        String quoted = java.stream().map(w -> "'" + w + "'").collect(Collectors.joining(" "));
        Path file = directory.resolve("weir");
        Files.writeString(file, "#!/bin/sh\nexec " + quoted + " \"$@\"\n");
        assertTrue(file.toFile().setExecutable(true));
        return file;
    }

    @Test
    void aChainThatDoesNotFireIsAnError() throws Exception {
        String sql =
                "CREATE QUERY q1 AS SELECT window_end, COUNT(*) AS n FROM packets"
                        + " WHERE node_id = 'Node1' GROUP BY TUMBLE(ts, INTERVAL '1' SECOND);"
                        + "CREATE QUERY q2 AS SELECT window_end, COUNT(*) AS n FROM packets"
                        + " WHERE node_id = 'Node2' GROUP BY TUMBLE(ts, INTERVAL '1' SECOND)"
                        + " WHEN q1.n > 1000000000 FOR INTERVAL '10' SECOND;";
        Ended ended = demo(Files.writeString(directory.resolve("never.sql"), sql), "40s");
        assertEquals(ExitCode.FAILED, ended.code(), ended.said());
        assertTrue(hasRows(ended.said(), "q1"), ended.said());
        assertTrue(ended.said().contains("error INTERNAL: no rows of q2 in 40 s\n"), ended.said());
        assertNothingRuns(ended.said());
    }
}
