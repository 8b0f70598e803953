package io.weir.ingest.wire.dpdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.ingest.source.RandomCapture;
import io.weir.ingest.source.Source;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The C of DPDK in processes of its own: under sanitizers, and in a JVM that checks JNI. */
@Timeout(180)
class DpdkProcessesTest {
    private static final Path C = Path.of("src", "main", "c", "dpdk").toAbsolutePath();
    private static final Path MAIN = Path.of("src", "test", "c", "dpdk_main.c").toAbsolutePath();
    private static final String CHECKED = "checked ";

    @TempDir Path folder;

    @BeforeAll
    static void needsDpdk() {
        assumeTrue(DpdkLibrary.isLoaded(), "DPDK is not installed: its C is not tested");
    }

    @Test
    void sanitizersFindNothing() throws Exception {
        Path program = folder.resolve("receive");
        String compile =
                "gcc -std=gnu17 -g -O1 -fsanitize=address,undefined -fno-sanitize-recover=all"
                        + " $(pkg-config --cflags libdpdk) -I \"$0\" -o \"$1\" \"$2\""
                        + " \"$0\"/environment.c \"$0\"/port.c \"$0\"/queue.c"
                        + " -lrte_ethdev -lrte_mbuf -lrte_mempool -lrte_ring -lrte_eal";
        Path log = folder.resolve("log");
        int failed = run(log, "sh", "-c", compile, "" + C, "" + program, "" + MAIN);
        assumeTrue(failed == 0, "gcc has no sanitizers, or DPDK no headers: " + text(log));
        Path file = RandomCapture.pcap(new Random(9), folder, "c", 700);
        int result =
                run(
                        log,
                        program.toString(),
                        "10000:net_null0",
                        "10000:net_pcap0,rx_pcap=" + file,
                        "10000:net_pcap1,rx_pcap=" + file + ",infinite_rx=1",
                        "1000:net_ring0");
        assertEquals(0, result, text(log));
        assertTrue(text(log).contains("infinite_rx=1 frames=10"), text(log));
        assertTrue(text(log).contains("net_ring0 frames=700 "), text(log));
    }

    @Test
    void aJvmThatChecksJniFindsNothing() throws Exception {
        Path file = RandomCapture.pcap(new Random(10), folder, "c", 700);
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(List.of("-Xcheck:jni", "-cp", System.getProperty("java.class.path")));
        command.addAll(List.of(DpdkProcessesTest.class.getName(), file.toString()));
        Path log = folder.resolve("log");
        int result = run(log, command.toArray(String[]::new));
        assertEquals(0, result, text(log));
        assertTrue(text(log).contains(CHECKED), text(log));
        assertFalse(text(log).contains("WARNING"), text(log));
        assertFalse(text(log).toLowerCase(Locale.ROOT).contains("signal"), text(log));
    }

    /** The checked JVM: reads a capture once, and then again and again. */
    public static void main(String[] arguments) {
        String device = "dpdk:net_pcap0?rx_pcap=" + arguments[0];
        try (DpdkRun run = new DpdkRun();
                DpdkRun repeated = new DpdkRun()) {
            int packets = run.read(device, DpdkRun.config(1_000_000_000)).size();
            int cores = Runtime.getRuntime().availableProcessors();
            repeated.outlet.mayLose = Long.MAX_VALUE;
            try (Source source = repeated.open(device + "&infinite_rx=1")) {
                repeated.run(source, 300);
            }
            System.out.println(CHECKED + packets + " packets, " + cores + " cores");
        }
    }

    private int run(Path log, String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start()
                .waitFor();
    }

    private static String text(Path log) {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
