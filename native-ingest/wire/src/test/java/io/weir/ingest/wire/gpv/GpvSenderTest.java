package io.weir.ingest.wire.gpv;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.ingest.cache.CacheConfig;
import io.weir.ingest.source.RandomCapture;
import io.weir.ingest.source.Source;
import io.weir.ingest.source.SourceConfig;
import io.weir.ingest.source.SourceSpec;
import io.weir.ingest.source.Sources;
import io.weir.ingest.wire.SocketLibrary;
import io.weir.ingest.wire.send.GpvSender;
import io.weir.ingest.wire.send.SendOptions;
import io.weir.operators.account.Account;
import io.weir.operators.account.Stage;
import io.weir.operators.time.Stopwatch;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A sender and sources of GPVs, over loopback: each packet arrives, or is counted as lost. */
@Timeout(120)
class GpvSenderTest {
    private static final long SEED = Long.getLong("weir.seed", 5);
    private static final Path DEMO = BlockFormatTest.HOUSE.resolve("demo/capture.pcap");

    @TempDir private Path folder;

    @BeforeEach
    void needsTheLibrary() {
        Assumptions.assumeTrue(SocketLibrary.isLoaded(), "skipped: no C compiler at build");
    }

    /** A sender that differs from the usual one in a few things. */
    private static final class Sending {
        final Account account = new Account();
        private final SourceSpec spec;
        private final SourceConfig config;
        boolean single;
        int mostBytes = SendOptions.USUAL_BYTES;
        OptionalDouble speed = OptionalDouble.empty();
        OptionalDouble packetsPerSecond = OptionalDouble.of(50_000);
        OptionalLong most = OptionalLong.empty();
        List<String> notes = List.of();

        Sending(Path capture, String layout) {
            spec = SourceSpec.pcap("host", capture);
            CacheConfig cache = CacheConfig.DEFAULT.withLayout(layout);
            config = new SourceConfig(60 * Datagrams.SECOND, cache);
        }

        /** Sends to these receivers, which read meanwhile. */
        Stage.Snapshot to(Wire... wires) throws InterruptedException {
            List<String> to =
                    Stream.of(wires).map(wire -> "127.0.0.1:" + wire.source.port()).toList();
            GpvSender sender = sender(to);
            Thread thread = new Thread(sender::run);
            thread.start();
            while (thread.isAlive()) {
                for (Wire wire : wires) {
                    wire.step();
                }
            }
            thread.join();
            for (Wire wire : wires) {
                wire.finish();
                assertTrue(wire.end.account.isBalanced());
            }
            return ended(sender);
        }

        GpvSender sender(List<String> to) {
            return new GpvSender(
                    List.of(spec),
                    config,
                    new SendOptions(
                            to,
                            single,
                            mostBytes,
                            speed,
                            packetsPerSecond,
                            most,
                            Optional.empty(),
                            9),
                    account);
        }

        Stage.Snapshot ended(GpvSender sender) {
            notes = sender.notes();
            assertTrue(account.isBalanced());
            return account.snapshot().stream()
                    .filter(page -> page.stage().equals(GpvSender.PAGE))
                    .findFirst()
                    .orElseThrow();
        }
    }

    /** The packets as the sender's own cache groups them. */
    private static List<String> direct(Sending sending) {
        try (RingEnd end = new RingEnd();
                Source source =
                        Sources.open(List.of(sending.spec), end.context(sending.config, () -> 0))) {
            while (source.step()) {
                end.read();
            }
            end.read();
            List<String> rows = new ArrayList<>(end.rows);
            rows.addAll(end.lateRows);
            return rows;
        }
    }

    private static void assertSame(List<String> sent, List<String> got) {
        List<String> extra = new ArrayList<>(got);
        List<String> missing = sent.stream().filter(row -> !extra.remove(row)).toList();
        List<String> none = List.of();
        assertEquals(none, missing.stream().limit(9).toList(), "missing, -Dweir.seed=" + SEED);
        assertEquals(none, extra.stream().limit(9).toList(), "extra, -Dweir.seed=" + SEED);
    }

    @Test
    void theDemosCaptureArrivesWhole() throws Exception {
        for (String layout : List.of("flow32", "flow64", "full")) {
            for (boolean single : List.of(true, false)) {
                try (Wire wire = new Wire("lateness=60s&layout=" + layout)) {
                    Sending sending = new Sending(DEMO, layout);
                    sending.single = single;
                    Stage.Snapshot sent = sending.to(wire);
                    assertEquals(0, wire.end.lostInAll(), wire.end.account.snapshot() + "");
                    assertSame(direct(sending), wire.end.rows);
                    assertEquals(List.of(), wire.end.lateRows);
                    assertEquals(sent.processed(), wire.end.rows.size());
                    assertEquals(0, wire.page("gpv blocks").excluded().get("other_layout"));
                }
            }
        }
    }

    @Test
    void severalReceiversShareTheFlows() throws Exception {
        Random random = new Random(SEED);
        for (int round = 0; round < 4; round++) {
            Path capture = RandomCapture.pcap(random, folder, "c" + round, 4000);
            try (Wire one = new Wire("layout=full");
                    Wire two = new Wire("layout=full");
                    Wire three = new Wire("layout=full")) {
                Sending sending = new Sending(capture, "full");
                sending.mostBytes = 256 + random.nextInt(9000);
                sending.to(one, two, three);
                List<String> got = new ArrayList<>();
                Set<String> flows = new HashSet<>();
                for (Wire wire : List.of(one, two, three)) {
                    List<String> all = new ArrayList<>(wire.end.rows);
                    all.addAll(wire.end.lateRows);
                    assertNotEquals(0, all.size());
                    got.addAll(all);
                    Set<String> own = new HashSet<>(all.stream().map(row -> flowOf(row)).toList());
                    own.forEach(flow -> assertTrue(flows.add(flow), flow));
                }
                assertSame(direct(sending), got);
            }
        }
    }

    private static String flowOf(String row) {
        return String.join(" ", List.of(row.split(" ")).subList(1, 6));
    }

    @Test
    void aLimitEndsItWithTheRestCounted() throws Exception {
        try (Wire wire = new Wire("layout=flow32")) {
            Sending sending = new Sending(DEMO, "flow32");
            sending.most = OptionalLong.of(1000);
            Stage.Snapshot sent = sending.to(wire);
            assertTrue(sent.processed() >= 1000 && sent.processed() < 1000 + 28, sent.toString());
            assertTrue(sent.excluded().get("stopped") > 0, sent.toString());
            assertEquals(sent.processed(), wire.page("gpvs").offered());
        }
    }

    @Test
    void thePaceIsKept() throws Exception {
        try (Wire wire = new Wire("layout=flow32")) {
            Sending sending = new Sending(DEMO, "flow32");
            sending.packetsPerSecond = OptionalDouble.of(10_000);
            sending.most = OptionalLong.of(5_000);
            Stopwatch watch = Stopwatch.started();
            sending.to(wire);
            assertTrue(watch.ms() >= 450, watch.ms() + " ms");
        }
    }

    @Test
    void nobodyListensIsCountedAndSaid() throws Exception {
        int port;
        try (Wire wire = new Wire("layout=flow32")) {
            port = wire.source.port();
        }
        Sending sending = new Sending(DEMO, "flow32");
        GpvSender sender = sending.sender(List.of("127.0.0.1:" + port));
        sender.run();
        Stage.Snapshot sent = sending.ended(sender);
        assertTrue(sent.lost().get("refused") > 0, sent.toString());
        assertTrue(
                sending.notes.stream().anyMatch(note -> note.contains("nobody listens")),
                sending.notes.toString());
    }
}
