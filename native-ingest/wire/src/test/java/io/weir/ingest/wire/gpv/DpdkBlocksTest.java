package io.weir.ingest.wire.gpv;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.ingest.capture.CaptureBytes;
import io.weir.ingest.source.Source;
import io.weir.ingest.source.SourceContext;
import io.weir.ingest.source.SourceSpec;
import io.weir.ingest.source.Sources;
import io.weir.ingest.wire.dpdk.DpdkCheck;
import io.weir.ingest.wire.dpdk.DpdkFactory;
import io.weir.ingest.wire.dpdk.DpdkProgram;
import io.weir.operators.account.Stage;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.time.Deadline;
import java.io.BufferedReader;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Datagrams in the frames of DPDK's net_pcap, beside all that is none. */
@Timeout(120)
class DpdkBlocksTest {
    private static final long SEED = Long.getLong("weir.seed", 7);
    private static final int PORT = 23_600;
    private static final String OPTIONS = "&allow=10.7.0.0/24,2001:db8::/32&ports=2&gpv=" + PORT;

    @TempDir private Path folder;

    private final Random random = new Random(SEED);
    private final CaptureBytes capture =
            new CaptureBytes(ByteOrder.LITTLE_ENDIAN).pcap(CaptureBytes.MICROSECONDS, 262_144, 1);
    private final Map<String, Long> left = new TreeMap<>();
    private final List<String> sent = new ArrayList<>();
    private int good;

    private static void needsDpdk() {
        Assumptions.assumeTrue(DpdkCheck.isLoaded(), "DPDK is not installed: dpdk: is not tested");
    }

    @Test
    void goodDatagramsArriveWholeBesideAllElse() {
        needsDpdk();
        long now = System.currentTimeMillis() * 1_000_000;
        Datagrams a = new Datagrams(random, 1, 0, "flow32", now);
        Datagrams b = new Datagrams(random, 1, 1, "flow32", now);
        for (int i = 0; i < 2000; i++) {
            good(a, "10.7.0.9", PORT);
            good(b, "2001:db8::5", PORT + 1);
            noise(a);
        }
        try (RingEnd end = new RingEnd()) {
            read(end, "flow32", capture.in(folder, "mixed"));
            assertEquals(sent.stream().sorted().toList(), end.rows.stream().sorted().toList());
            Stage.Snapshot page = page(end);
            assertEquals(good, page.processed());
            Map<String, Long> counted = new TreeMap<>(page.lost());
            counted.putAll(page.excluded());
            left.forEach((why, count) -> assertEquals(count, counted.get(why), why));
            assertTrue(end.account.isBalanced());
            assertEquals(0, end.lostInAll());
        }
    }

    private void good(Datagrams sender, String from, int port) {
        byte[] datagram = sender.next(1 + random.nextInt(3));
        record(GpvFrames.frame(random, from, port, datagram));
        sent.addAll(sender.rows);
        good++;
    }

    /** One frame that is no block of an allowed sender, or is cut, or lies. */
    private void noise(Datagrams like) {
        Datagrams copy = new Datagrams(random, 9, 0, "flow32", like.timeNs);
        byte[] datagram = copy.next(2);
        boolean v4 = random.nextBoolean();
        byte[] frame = GpvFrames.frame(random, v4 ? "10.7.0.4" : "2001:db8::7", PORT, datagram);
        int ip = GpvFrames.ip(frame);
        int udp = frame.length - datagram.length - 8;
        String why;
        switch (random.nextInt(8)) {
            case 0 -> {
                why = "other_port";
                frame[udp + 3] = 99;
            }
            case 1 -> {
                why = "other_frame";
                frame[ip + (v4 ? 9 : 6)] = 6;
            }
            case 2 -> {
                why = "fragment";
                frame[ip + (v4 ? 6 : 0)] = (byte) (v4 ? 0x20 : 0x60);
                frame[ip + 6] = v4 ? frame[ip + 6] : 44;
            }
            case 3 -> {
                why = "false_length";
                frame[udp + 4] = 99;
            }
            case 4 -> {
                why = "sender_not_allowed";
                frame[ip + (v4 ? 12 : 8)] = 11;
            }
            case 5 -> {
                why = "cut_frame";
                frame = java.util.Arrays.copyOf(frame, udp + 8 + random.nextInt(40));
            }
            case 6 -> {
                why = "version";
                frame[udp + 8 + 4] = 9;
            }
            default -> {
                why = "other_frame";
                frame = java.util.Arrays.copyOf(frame, random.nextInt(14) + 1);
            }
        }
        left.merge(why, 1L, Long::sum);
        record(frame);
    }

    private void record(byte[] frame) {
        capture.record(1_700_000_000, 5, frame, frame.length);
    }

    /** The C that finds and checks blocks reads the same from a capture and from a ring. */
    @Test
    void sanitizersFindNothing() throws Exception {
        needsDpdk();
        Path program = DpdkProgram.receiver(folder);
        Datagrams a = new Datagrams(random, 1, 0, "flow32", 1_700_000_000_000_000_000L);
        for (int i = 0; i < 2000; i++) {
            good(a, i % 2 == 0 ? "10.7.0.9" : "2001:db8::5", PORT + i % 2);
            noise(a);
        }
        Path file = capture.in(folder, "mixed");
        Path log = folder.resolve("log");
        String commands =
                ("gpv 100000 net_pcap0,rx_pcap=" + file + " - gpv 100000 net_ring0 " + file);
        int result = DpdkProgram.run(log, (program + " " + commands).split(" "));
        String text = DpdkProgram.text(log);
        assertEquals(0, result, text);
        // Any sender is taken here.
        String sound = " sound=" + (good + left.getOrDefault("sender_not_allowed", 0L)) + " ";
        assertEquals(2, text.lines().filter(line -> line.contains(sound)).count(), text);
    }

    /**
     * Two pipelines of a switch send to a port and a queue each, by net_memif from another process.
     */
    @Test
    void twoQueuesNamePipelinesByTheirPorts() throws Exception {
        needsDpdk();
        Path program = DpdkProgram.sender(folder);
        long now = System.currentTimeMillis() * 1_000_000;
        List<List<String>> expected = new ArrayList<>();
        List<String> command = new ArrayList<>(List.of(program.toString()));
        String socket = folder.resolve("memif").toString();
        command.add("net_memif0,role=server,socket=" + socket);
        for (int queue = 0; queue < 2; queue++) {
            Datagrams sender = new Datagrams(random, 5, queue, "flow32", now);
            CaptureBytes frames =
                    new CaptureBytes(ByteOrder.LITTLE_ENDIAN)
                            .pcap(CaptureBytes.MICROSECONDS, 262_144, 1);
            List<String> rows = new ArrayList<>();
            for (int i = 0; i < 3000; i++) {
                byte[] datagram = sender.next(1 + random.nextInt(3));
                byte[] frame = GpvFrames.frame(random, "10.7.0.9", PORT + queue, datagram);
                frames.record(1, 1, frame, frame.length);
                rows.addAll(sender.rows);
            }
            expected.add(rows.stream().sorted().toList());
            command.add(frames.in(folder, "queue" + queue).toString());
        }
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try (BufferedReader said = process.inputReader(StandardCharsets.UTF_8)) {
            assertEquals("ready", said.readLine());
            readTwo("dpdk:net_memif0?role=client&queues=2&socket=" + socket + OPTIONS, expected);
            assertEquals("sent=6000", said.readLine());
        } finally {
            process.destroyForcibly();
        }
    }

    private static void readTwo(String uri, List<List<String>> expected) {
        List<SourceSpec> specs = Sources.parse(uri, "here");
        DpdkFactory factory = new DpdkFactory();
        try (RingEnd one = new RingEnd();
                RingEnd other = new RingEnd();
                Source first = factory.open(specs, 0, context(one));
                Source second = factory.open(specs, 1, context(other))) {
            Deadline most = Deadline.afterMs(60_000);
            int rows = expected.get(0).size() + expected.get(1).size();
            while (one.rows.size() + other.rows.size() < rows && !most.isOver()) {
                first.step();
                one.read();
                second.step();
                other.read();
            }
            assertEquals(expected.get(0), one.rows.stream().sorted().toList());
            assertEquals(expected.get(1), other.rows.stream().sorted().toList());
            assertEquals(3000, page(one).processed());
            assertEquals(3000, page(other).processed());
        }
    }

    private static SourceContext context(RingEnd end) {
        return end.context("flow32", () -> System.currentTimeMillis() * 1_000_000);
    }

    private static void read(RingEnd end, String layout, Path file) {
        String uri = "dpdk:net_pcap0?rx_pcap=" + file + OPTIONS + "&layout=" + layout;
        List<SourceSpec> specs = Sources.parse(uri, "here");
        Sources.checkAll(specs);
        try (Source source =
                Sources.open(
                        specs, end.context(layout, () -> System.currentTimeMillis() * 1_000_000))) {
            while (source.step()) {
                end.read();
            }
        }
        end.read();
    }

    private static Stage.Snapshot page(RingEnd end) {
        return end.account.snapshot().stream()
                .filter(page -> page.stage().equals("gpv blocks"))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void theDemosCaptureArrivesWholeInEachLayout() {
        needsDpdk();
        for (String layout : List.of("flow32", "flow64", "full")) {
            CaptureBytes frames =
                    new CaptureBytes(ByteOrder.LITTLE_ENDIAN)
                            .pcap(CaptureBytes.MICROSECONDS, 262_144, 1);
            try (RingEnd direct = new RingEnd();
                    RingEnd end = new RingEnd()) {
                CaptureBlocks.send(
                        BlockFormatTest.HOUSE.resolve("demo/capture.pcap"),
                        layout,
                        direct,
                        datagram -> {
                            byte[] frame = GpvFrames.frame(random, "10.7.0.1", PORT, datagram);
                            frames.record(1, 1, frame, frame.length);
                        });
                read(end, layout, frames.in(folder, layout));
                direct.rows.addAll(direct.lateRows);
                end.rows.addAll(end.lateRows);
                assertTrue(direct.rows.size() > 1000);
                assertEquals(
                        direct.rows.stream().sorted().toList(),
                        end.rows.stream().sorted().toList());
                assertTrue(end.account.isBalanced());
            }
        }
    }

    @Test
    void impossibleOptionsAreNamed() {
        for (String options :
                List.of(
                        "gpv=23600",
                        "gpv=0&allow=10.0.0.1",
                        "gpv=x&allow=10.0.0.1",
                        "gpv=65535&ports=2&allow=10.0.0.1",
                        "gpv=23600&allow=10.0.0.1&layout=wide",
                        "gpv=23600&allow=nobody",
                        "allow=10.0.0.1",
                        "layout=flow32")) {
            WeirException error =
                    assertThrows(
                            WeirException.class,
                            () -> Sources.parse("dpdk:net_null0?" + options, "here"),
                            options);
            assertEquals(ErrorCode.INVALID_OPTION, error.code(), options);
        }
    }
}
