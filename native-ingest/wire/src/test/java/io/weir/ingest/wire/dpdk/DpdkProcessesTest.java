package io.weir.ingest.wire.dpdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.ingest.source.RandomCapture;
import io.weir.ingest.source.Source;
import java.lang.management.ManagementFactory;
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
    private static final String CHECKED = "checked ";

    @TempDir Path folder;

    @BeforeAll
    static void needsDpdk() {
        assumeTrue(DpdkLibrary.isLoaded(), "DPDK is not installed: its C is not tested");
    }

    @Test
    void sanitizersFindNothing() throws Exception {
        Path program = DpdkProgram.receiver(folder);
        Path file = RandomCapture.pcap(new Random(9), folder, "c", 700);
        String frames = "frames 10000 ";
        String commands =
                frames
                        + "net_null0 - gone 10000 net_null0 - "
                        + frames
                        + "net_null0 - "
                        + frames
                        + ("net_pcap0,rx_pcap=" + file + " - ")
                        + frames
                        + ("net_pcap1,rx_pcap=" + file + ",infinite_rx=1 - ")
                        + frames
                        + ("net_ring0 " + DpdkCaptureTest.DEMO);
        Path log = folder.resolve("log");
        int result = DpdkProgram.run(log, (program + " " + commands).split(" "));
        String text = DpdkProgram.text(log);
        assertEquals(0, result, text);
        assertTrue(text.contains("infinite_rx=1 frames=10"), text);
        assertTrue(text.contains("net_ring0 frames=10240 "), text);
        assertTrue(text.contains("gone net_null0 frames=5120 bytes=0 sound=0 gone=1"), text);
        assertFalse(text.contains("rte_dump_stack"), "a port was read that is gone: " + text);
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
        int result = DpdkProgram.run(log, command.toArray(String[]::new));
        assertEquals(0, result, DpdkProgram.text(log));
        assertTrue(DpdkProgram.text(log).contains(CHECKED), DpdkProgram.text(log));
        assertFalse(DpdkProgram.text(log).contains("WARNING"), DpdkProgram.text(log));
        assertFalse(
                DpdkProgram.text(log).toLowerCase(Locale.ROOT).contains("signal"),
                DpdkProgram.text(log));
    }

    /** The checked JVM: reads a capture once, looks for blocks in another, and repeats it. */
    public static void main(String[] arguments) {
        String device = "dpdk:net_pcap0?rx_pcap=" + arguments[0];
        try (DpdkRun run = new DpdkRun();
                DpdkRun blocks = new DpdkRun();
                DpdkRun repeated = new DpdkRun()) {
            int packets = run.read(device, DpdkRun.config(1_000_000_000)).size();
            String gpvs = "&gpv=23600&allow=10.0.0.0/8";
            blocks.read("dpdk:net_pcap0?rx_pcap=" + DpdkCaptureTest.DEMO + gpvs, DpdkRun.config(0));
            int cores = Runtime.getRuntime().availableProcessors();
            repeated.outlet.mayLose = Long.MAX_VALUE;
            try (Source source = repeated.open(device + "&infinite_rx=1")) {
                repeated.run(source, 300);
            }
            System.out.println(CHECKED + packets + " packets, " + cores + " cores");
        }
    }
}
