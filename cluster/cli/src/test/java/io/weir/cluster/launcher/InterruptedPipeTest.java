package io.weir.cluster.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.node.PcapFile;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A process with a capture on its standard input, which only a signal ends. */
class InterruptedPipeTest {
    private static final long SECOND_NS = 1_000_000_000L;
    private static final int SIGTERM = 143;

    @TempDir private Path folder;

    private Process start(String... arguments) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument -> argument.startsWith("--add-") || argument.startsWith("-XX:+C"))
                .forEach(command::add);
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.add(Weir.class.getName());
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).redirectError(folder.resolve("err").toFile()).start();
    }

    @Test
    @Timeout(120)
    void whatWasCountedIsPrinted() throws Exception {
        PcapFile capture = new PcapFile();
        for (int second = 0; second < 5; second++) {
            capture.udp(second * SECOND_NS, 1, 2, 53, 60);
        }
        String sql =
                "SELECT window_start, COUNT(*) AS n FROM packets"
                        + " GROUP BY TUMBLE(ts, INTERVAL '2' SECOND); SELECT COUNT(*) AS n FROM packets";
        Process run = start("run", "-e", sql, "--format", "json", "--pcap", "-");
        try (OutputStream in = run.getOutputStream();
                var rows = run.inputReader()) {
            in.write(Files.readAllBytes(capture.write(folder.resolve("capture"))));
            in.flush();
            String first = rows.readLine();
            assertTrue(first.contains("\"n\":2"), first);
            run.toHandle().destroy(); // Process.destroy would close what we read
            String rest = rows.lines().sorted().collect(Collectors.joining("\n"));
            assertEquals(SIGTERM, run.waitFor());
            assertTrue(rest.contains("{\"query\":\"q2\",\"n\":5}"), rest);
            String told = Files.readString(folder.resolve("err"));
            assertTrue(told.contains("capture         5          5"), told);
        } finally {
            run.destroyForcibly();
        }
    }

    /** Nothing is to be saved then, and Kafka's client would wait for half a minute. */
    @Test
    @Timeout(120)
    void aWorkerThatWaitsForKafkaEndsAtOnce() throws Exception {
        String capture = new PcapFile().random(1, 3).write(folder.resolve("c.pcap")).toString();
        try (ServerSocket silent = new ServerSocket(0, 9, InetAddress.getLoopbackAddress())) {
            String kafka = "127.0.0.1:" + silent.getLocalPort();
            String outbox = folder.resolve("outbox").toString();
            Process worker =
                    start("worker", "--kafka", kafka, "--outbox", outbox, "--pcap", capture);
            try (Socket asked = silent.accept()) {
                worker.destroy();
                assertEquals(SIGTERM, worker.waitFor(), asked.toString());
            } finally {
                worker.destroyForcibly();
            }
        }
        assertEquals("", Files.readString(folder.resolve("err")));
    }
}
