package io.weir.cluster.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.ingest.cache.CacheConfig;
import io.weir.ingest.source.SourceConfig;
import io.weir.ingest.source.SourceSpec;
import io.weir.ingest.wire.SocketLibrary;
import io.weir.ingest.wire.send.GpvSender;
import io.weir.ingest.wire.send.SendOptions;
import io.weir.operators.account.Account;
import io.weir.operators.account.Stage;
import io.weir.operators.rows.RowBatch;
import io.weir.operators.time.Clock;
import io.weir.operators.time.Deadline;
import io.weir.testing.Await;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * An interface, and a sender of GPVs, bring twice as much as a pipeline takes. The pipeline has to
 * wait for a reader of rows, which takes four times as long for a window as the window is.
 */
@Timeout(180)
class LiveOverloadTest {
    private static final long SEED = Long.getLong("weir.seed", 3);
    private static final long SILENCE_MS = 1200;
    private static final int PACKETS = 400_000;
    private static final int FLOWS = 400;

    /** Windows of 100 µs, so that those that wait for the reader of rows are soon enough. */
    private static final String SHORT_WINDOWS =
            "SELECT window_start, COUNT(*) AS n FROM packets"
                    + " GROUP BY TUMBLE(ts, INTERVAL '0.0001' SECOND)";

    private static final Duration TIME_OF_A_ROW = Duration.ofNanos(400_000);

    /** Sends frames of many flows, and some of ARP. Prints how many. */
    private static final String SENDER =
            """
            import socket, struct, sys, time
            seconds, flows = map(int, sys.argv[2:])
            raw = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
            raw.bind((sys.argv[1], 0))
            frames = []
            for flow in range(flows):
                frame = bytes.fromhex("0200000000010200000000020800")
                frame += struct.pack(">BBHHHBBH", 0x45, 0, 60, 1, 0, 64, 17, 0)
                frame += bytes([10, 98, flow // 250, 1 + flow % 250, 10, 99, 0, 1])
                frame += struct.pack(">HHHH", 1000 + flow, 9999, 40, 0) + bytes(32)
                frames.append(frame)
            frames.append(bytes.fromhex("0200000000010200000000020806") + bytes(46))
            end = time.monotonic() + seconds
            sent = 0
            while time.monotonic() < end:
                for frame in frames:
                    raw.send(frame)
                sent += len(frames)
            print(sent)
            """;

    @TempDir private Path folder;

    private final String link = "wo" + ProcessHandle.current().pid() % 1_000_000;
    private boolean linked;

    @BeforeEach
    void needsTheLibrary() {
        assumeTrue(SocketLibrary.isLoaded(), "skipped: no C compiler at build");
    }

    @AfterEach
    void unlink() throws Exception {
        if (linked) {
            ip("link", "del", link + "a");
            ip("netns", "del", "weir-" + link);
        }
    }

    private static Process ip(String... command) throws Exception {
        List<String> all = new ArrayList<>(List.of("ip"));
        all.addAll(List.of(command));
        Process process =
                new ProcessBuilder(all).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        process.waitFor();
        return process;
    }

    private void link() throws Exception {
        assumeTrue("root".equals(System.getProperty("user.name")), "needs root");
        assumeTrue(Files.exists(Path.of("/usr/bin/python3")), "needs python3");
        String space = "weir-" + link;
        assumeTrue(ip("netns", "add", space).exitValue() == 0, "no namespace can be made");
        linked = true;
        Process made =
                ip("link", "add", link + "a", "type", "veth", "peer", link + "b", "netns", space);
        assumeTrue(made.exitValue() == 0, "no virtual interface can be made");
        Path ipv6 = Path.of("/proc/sys/net/ipv6/conf", link + "a", "disable_ipv6");
        if (Files.exists(ipv6)) {
            Files.writeString(ipv6, "1");
        }
        ip("-n", space, "link", "set", link + "b", "addrgenmode", "none");
        ip("link", "set", link + "a", "up");
        ip("-n", space, "link", "set", link + "b", "up");
    }

    /** A reader of rows that takes its time for each. */
    private static void takesItsTime(RowBatch batch) {
        Deadline end = Deadline.after(TIME_OF_A_ROW.multipliedBy(batch.rows()), Clock.SYSTEM);
        while (!end.isOver()) {
            LockSupport.parkNanos(100_000);
        }
    }

    /** Stops once a sender has ended, and nothing has come for a while. */
    private static boolean isOver(CompletableFuture<?> sender, Deadline[] silence) {
        if (!sender.isDone()) {
            return false;
        }
        if (silence[0] == null) {
            silence[0] = Deadline.afterMs(SILENCE_MS);
        }
        return silence[0].isOver();
    }

    @Test
    void framesOfAnInterfaceAreToldToThePacket() throws Exception {
        link();
        Overload overload = new Overload();
        overload.beside(SHORT_WINDOWS, LiveOverloadTest::takesItsTime);
        CompletableFuture<Long> sender =
                CompletableFuture.supplyAsync(
                        () -> {
                            try {
                                return sendFrames();
                            } catch (Exception e) {
                                throw new AssertionError(e);
                            }
                        });
        Deadline[] silence = new Deadline[1];
        overload.run("afpacket:" + link + "a?direction=in", () -> isOver(sender, silence));
        long sent = sender.get(10, TimeUnit.SECONDS);
        long offered = overload.sum("capture", page -> page.offered());
        long excluded = overload.sum("capture", Overload::excluded);
        long kernel = overload.sum("capture", Stage.Snapshot::lostInAll);
        long ringFull = overload.sum("cache", Stage.Snapshot::lostInAll);
        String at = sent + " sent, " + kernel + " and " + ringFull + " lost: ";
        assertEquals(sent, offered, at + overload.account.snapshot());
        long arp = sent / (FLOWS + 1);
        assertTrue(excluded <= arp && excluded >= arp - kernel, at + excluded + " excluded");
        assertEquals(offered, overload.counted() + excluded + kernel + ringFull, at);
        assertTrue(ringFull + kernel > sent / 2, at + "the pipeline was not slow");
        overload.checkRows(kernel + ringFull, at);
        overload.checkMemory(at);
    }

    /** Sends from the other end, once it is read. Returns the number of frames. */
    private long sendFrames() throws Exception {
        String index = Files.readString(Path.of("/sys/class/net", link + "a", "ifindex")).strip();
        await(Path.of("/proc/net/packet"), " " + index + " ");
        Process sender =
                ip(
                        "netns",
                        "exec",
                        "weir-" + link,
                        "python3",
                        "-c",
                        SENDER,
                        link + "b",
                        "3",
                        "" + FLOWS);
        byte[] printed = sender.getInputStream().readAllBytes();
        return Long.parseLong(new String(printed, StandardCharsets.UTF_8).strip());
    }

    private static void await(Path list, String text) {
        Await.until(() -> Files.readString(list).contains(text));
    }

    /** The last packet comes alone after a while: behind it nothing can be lost unseen. */
    private NavigableMap<Long, Long> write(Path capture) {
        PcapFile packets = new PcapFile();
        Random random = new Random(SEED);
        NavigableMap<Long, Long> windows = new TreeMap<>();
        long atNs = 0;
        for (int i = 0; i < PACKETS; i++) {
            atNs += i == PACKETS - 1 ? SILENCE_MS * 1_000_000 : random.nextInt(12_000);
            packets.udp(atNs, 0x0a000000 + random.nextInt(FLOWS), 0x0a630001, 9999, 60);
            long window = Math.floorDiv(PcapFile.START_NS + atNs, Overload.WINDOW_NS);
            windows.merge(window * Overload.WINDOW_NS, 1L, Long::sum);
        }
        packets.write(capture);
        return windows;
    }

    @Test
    void gpvsOfASenderAreToldToThePacket() throws Exception {
        Path capture = folder.resolve("capture.pcap");
        NavigableMap<Long, Long> windows = write(capture);
        int port;
        try (DatagramSocket free = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        Overload overload = new Overload();
        overload.beside(SHORT_WINDOWS, LiveOverloadTest::takesItsTime);
        CompletableFuture<Void> sender =
                CompletableFuture.runAsync(
                        () -> {
                            await(Path.of("/proc/net/udp6"), String.format(":%04X ", port));
                            sender(capture, port).run();
                        });
        Deadline[] silence = new Deadline[1];
        String uri = "gpv-udp:127.0.0.1:" + port + "?layout=full";
        overload.run(uri, () -> isOver(sender, silence));
        sender.get(10, TimeUnit.SECONDS);
        long offered = overload.sum("gpvs", page -> page.offered());
        long lost = overload.sum("gpvs", Stage.Snapshot::lostInAll);
        long kernel = overload.sum("gpv blocks", Stage.Snapshot::lostInAll);
        String at = lost + " lost, " + kernel + " datagrams, -Dweir.seed=" + SEED + ": ";
        assertEquals(PACKETS, offered, at + overload.account.snapshot());
        assertEquals(PACKETS, overload.counted() + lost, at);
        assertTrue(lost > PACKETS / 2, at + "the pipeline was not slow");
        overload.checkRows(lost, at);
        overload.checkMemory(at);
        long told = Long.MIN_VALUE;
        for (Overload.Row row : overload.rows) {
            assertEquals(0, row.late(), at + row);
            if (kernel == 0) { // the times of all losses are known
                long sent =
                        windows.subMap(told, false, row.startNs(), true).values().stream()
                                .mapToLong(n -> n)
                                .sum();
                assertEquals(sent, row.packets() + row.lost(), at + row);
                told = row.startNs();
            }
        }
    }

    /** A sender that goes as the packets were recorded. */
    private static GpvSender sender(Path capture, int port) {
        CacheConfig cache = CacheConfig.DEFAULT.withLayout("full").withTimeout(20_000_000L);
        return new GpvSender(
                List.of(SourceSpec.pcap("host", capture)),
                new SourceConfig(10_000_000L, cache),
                new SendOptions(
                        List.of("127.0.0.1:" + port),
                        false,
                        SendOptions.USUAL_BYTES,
                        OptionalDouble.of(1),
                        OptionalDouble.empty(),
                        OptionalLong.empty(),
                        Optional.empty(),
                        9),
                new Account());
    }
}
