package io.weir.ingest.wire.dpdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.ingest.capture.CaptureBytes;
import io.weir.ingest.source.Source;
import io.weir.ingest.source.SourceSpec;
import io.weir.ingest.source.Sources;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.time.Deadline;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Devices by their names and options, and those that come and go. */
@Timeout(120)
class DpdkDevicesTest {
    private static final String NUMBER = Long.toString(ProcessHandle.current().pid() % 100_000);
    private static final String SENDER = "wdtx" + NUMBER;
    private static final String RECEIVER = "wdrx" + NUMBER;
    private static final String NET = "10.222." + (Long.parseLong(NUMBER) % 250) + ".";

    @TempDir Path folder;

    @AfterEach
    void removeInterfaces() throws Exception {
        if (Files.exists(Path.of("/sys/class/net", SENDER))) {
            ip("link", "del", SENDER);
        }
    }

    private static SourceSpec parse(String uri) {
        return Sources.parse(uri, "node").get(0);
    }

    @Test
    void argumentsAreThoseOfTheDriver() {
        assertArguments("net_null0,size=100", "dpdk:net_null0?size=100&queues=2");
        assertArguments("0000:01:00.0,x=1,y=2", "dpdk:0000:01:00.0?args=x=1,y=2");
        assertArguments(
                "net_pcap3,infinite_rx=1,rx_pcap=/a.pcap,rx_pcap=/a.pcap",
                "dpdk:net_pcap3?rx_pcap=/a.pcap&infinite_rx=true&queues=2");
        assertArguments(
                "net_af_packet0,iface=veth0,qpairs=3", "dpdk:net_af_packet0?iface=veth0&queues=3");
        assertFalse(parse("dpdk:net_pcap0?rx_pcap=/a.pcap").isLive());
        assertTrue(parse("dpdk:net_pcap0?rx_pcap=/a.pcap&infinite_rx=1").isLive());
        assertTrue(parse("dpdk:net_pcap0?rx_iface=eth0").isLive());
        assertEquals(List.of(2, 4, 5), DpdkDevice.of(parse("dpdk:net_null0?cores=2,4-5")).cores());
    }

    private static void assertArguments(String expected, String uri) {
        assertEquals(expected, DpdkDevice.of(parse(uri)).arguments());
    }

    @Test
    void impossibleValuesAreErrors() {
        for (String uri :
                List.of(
                        "dpdk:eth0",
                        "dpdk:",
                        "dpdk:net_null0?queues=0",
                        "dpdk:net_null0?queues=x",
                        "dpdk:net_null0?rss=mac",
                        "dpdk:net_null0?cores=1-x",
                        "dpdk:net_null0?cores=1&queues=2",
                        "dpdk:net_null0?hugepages=maybe",
                        "dpdk:net_pcap0?rx_pcap=a,b.pcap",
                        "dpdk:net_pcap0?rx_pcap=a.pcap&queues=2",
                        "dpdk:net_null0?ifce=eth0")) {
            WeirException error = assertThrows(WeirException.class, () -> parse(uri), uri);
            assertEquals(ErrorCode.INVALID_OPTION, error.code(), uri);
        }
    }

    @Test
    void missingDevicesAreErrors() {
        needsDpdk();
        try (DpdkRun run = new DpdkRun()) {
            for (String uri :
                    List.of(
                            "dpdk:net_pcap0?rx_pcap=" + folder.resolve("none.pcap"),
                            "dpdk:net_af_packet0?iface=none" + NUMBER,
                            "dpdk:net_nonsense0",
                            "dpdk:fff0:01:00.0",
                            "dpdk:net_null0?args=size=x")) {
                WeirException error = assertThrows(WeirException.class, () -> run.open(uri), uri);
                assertEquals(ErrorCode.UNREADABLE_INPUT, error.code(), uri);
            }
        }
    }

    @Test
    void framesThatAreNoPacketsAreExcluded() {
        needsDpdk();
        try (DpdkRun run = new DpdkRun()) {
            try (Source source = run.open("dpdk:net_null0")) {
                run.run(source, 200);
            }
            assertTrue(run.account.isBalanced());
            assertTrue(run.account.snapshot().get(0).offered() > 0);
            assertEquals(0, run.account.snapshot().get(0).processed());
        }
    }

    @Test
    void aDeviceIsForOneSource() {
        needsDpdk();
        String uri = "dpdk:net_null1";
        try (DpdkRun run = new DpdkRun();
                DpdkRun other = new DpdkRun()) {
            try (Source source = run.open(uri)) {
                WeirException error = assertThrows(WeirException.class, () -> other.open(uri));
                assertEquals(ErrorCode.SOURCE_GONE, error.code());
                run.run(source, 20);
            }
            try (Source again = other.open(uri)) {
                other.run(again, 20);
            }
        }
    }

    @Test
    void anotherLinkTypeIsReadAsTheCaptureSays() {
        needsDpdk();
        byte[] frame = new byte[40];
        frame[0] = 0x45;
        frame[3] = 40;
        frame[8] = 64;
        frame[9] = 17;
        CaptureBytes capture = new CaptureBytes(ByteOrder.LITTLE_ENDIAN);
        capture.pcap(CaptureBytes.MICROSECONDS, 65_535, 101).record(1_700_000_000, 5, frame, 40);
        Path file = capture.in(folder, "raw");
        try (DpdkRun run = new DpdkRun()) {
            List<String> rows =
                    run.read("dpdk:net_pcap0?rx_pcap=" + file, DpdkRun.config(1_000_000));
            assertEquals(1, rows.size());
        }
    }

    @Test
    void anInterfaceOfTheKernelIsReadUntilItIsGone() throws Exception {
        needsDpdk();
        assumeTrue(
                "root".equals(System.getProperty("user.name")) && Files.exists(Path.of("/sbin/ip")),
                "veth needs root and ip: net_af_packet is not tested");
        ip("link", "add", SENDER, "type", "veth", "peer", "name", RECEIVER);
        ip("link", "set", RECEIVER, "up");
        ip("addr", "add", NET + "1/24", "dev", SENDER);
        ip("link", "set", SENDER, "up");
        ip("neigh", "add", NET + "2", "lladdr", "02:00:00:00:00:02", "dev", SENDER);
        try (DpdkRun run = new DpdkRun()) {
            String uri = "dpdk:net_af_packet0?iface=" + RECEIVER;
            try (Source source = run.open(uri)) {
                send(500);
                Deadline most = Deadline.afterMs(20_000);
                while (received(run) < 500 && !most.isOver()) {
                    source.step();
                    run.outlet.read();
                }
                assertEquals(500, received(run));
                ip("link", "del", SENDER);
                WeirException gone = assertThrows(WeirException.class, source::run);
                assertEquals(ErrorCode.SOURCE_GONE, gone.code());
            }
            run.outlet.read();
            assertTrue(run.account.isBalanced());
            WeirException missing = assertThrows(WeirException.class, () -> run.open(uri));
            assertEquals(ErrorCode.UNREADABLE_INPUT, missing.code());
        }
    }

    private static long received(DpdkRun run) {
        return run.outlet.rows.stream().filter(row -> row.contains("dst_port=22001 ")).count();
    }

    private static void send(int count) throws IOException {
        try (DatagramSocket socket = new DatagramSocket()) {
            byte[] bytes = new byte[100];
            InetAddress to = InetAddress.getByName(NET + "2");
            for (int i = 0; i < count; i++) {
                socket.send(new DatagramPacket(bytes, bytes.length, to, 22_001));
            }
        }
    }

    private static void ip(String... arguments) throws Exception {
        ProcessBuilder command = new ProcessBuilder("/sbin/ip");
        command.command().addAll(List.of(arguments));
        command.redirectErrorStream(true);
        Process process = command.start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), text);
    }

    private static void needsDpdk() {
        assumeTrue(DpdkLibrary.isLoaded(), "DPDK is not installed: dpdk: is not tested");
    }
}
