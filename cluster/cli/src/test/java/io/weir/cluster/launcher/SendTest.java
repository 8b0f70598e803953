package io.weir.cluster.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.ingest.wire.SocketLibrary;
import io.weir.sql.library.LibraryQuery;
import io.weir.sql.library.QueryLibrary;
import io.weir.testing.Await;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code weir send} to {@code gpv-udp:}: the rows are those of the packets. */
@Timeout(240)
class SendTest {
    private static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();
    private static final Path DEMO = ROOT.resolve("demo/capture.pcap");
    private static final Path CAPTURES = ROOT.resolveSibling("shared").resolve("traces/captures");
    private static final long MOST_BYTES = 4 << 20;
    private static final int MOST_CAPTURES = 3;

    /** Without windows a table's rows depend on the moments at which it is read. */
    private static final String WINDOWS = "TUMBLE(";

    /** Queries that are more than a live source can feed at once on a busy machine. */
    private static final String MORE = "a first week with Weir";

    /** No packet of a capture is later than by this. */
    private static final String LATENESS = "30s";

    private static final Pattern LOST =
            Pattern.compile("\"(kernel|lost_before|ring_full)\": [1-9]");

    private static final String PACE = "20000";

    /** On a busy machine a pipeline may begin late, and a ring be full before. */
    private static final int TRIES = 5;

    @TempDir private Path folder;

    @BeforeEach
    void needsTheLibrary() {
        Assumptions.assumeTrue(SocketLibrary.isLoaded(), "skipped: no C compiler at build");
    }

    /** The library's queries over windows, in one text. */
    private static String library() {
        StringBuilder all = new StringBuilder();
        for (LibraryQuery query : QueryLibrary.load().all()) {
            boolean windows = query.text().contains(WINDOWS) && !query.source().contains(MORE);
            if (!query.equery() && windows) {
                String text = query.text();
                for (var value : query.defaults().entrySet()) {
                    text = text.replaceAll(":" + value.getKey() + "\\b", value.getValue());
                }
                all.append(text.strip()).append(text.strip().endsWith(";") ? "\n" : ";\n");
            }
        }
        return all.toString();
    }

    private static List<String> sorted(Cli.Result result) {
        assertEquals(0, result.code(), result.err());
        return result.out().lines().sorted().toList();
    }

    private static int freePort() throws IOException {
        try (DatagramSocket free = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }

    /** Looks in the kernel's list: a socket to try it would be in the reader's way. */
    private static void awaitListener(int port, CompletableFuture<Cli.Result> reader) {
        String address = String.format(":%04X ", port);
        Await.until(
                () -> {
                    assertFalse(reader.isDone(), () -> reader.join().err());
                    return Files.readString(Path.of("/proc/net/udp")).contains(address)
                            || Files.readString(Path.of("/proc/net/udp6")).contains(address);
                });
    }

    /**
     * Returns the rows of one run; empty if a ring was full. The kernel's buffer takes all of a
     * capture.
     */
    private Optional<List<String>> received(Path capture, Path text) throws Exception {
        int port = freePort();
        Path stats = folder.resolve("stats");
        String source = "gpv-udp:127.0.0.1:" + port + "?layout=full&buffer=64";
        CompletableFuture<Cli.Result> reader =
                CompletableFuture.supplyAsync(
                        () ->
                                Cli.run(
                                        "run",
                                        "--source",
                                        source,
                                        "--sql",
                                        text.toString(),
                                        "--format",
                                        "json",
                                        "--stats",
                                        stats.toString(),
                                        "--idle",
                                        "3s"));
        awaitListener(port, reader);
        Cli.Result sent =
                Cli.run(
                        "send",
                        "--source",
                        "pcap:" + capture,
                        "--to",
                        "127.0.0.1:" + port,
                        "--layout",
                        "full",
                        "--lateness",
                        LATENESS,
                        "--packets-per-second",
                        PACE);
        assertEquals(0, sent.code(), sent.err());
        assertFalse(sent.err().contains("refused"), sent.err());
        List<String> rows = sorted(reader.get(100, TimeUnit.SECONDS));
        return LOST.matcher(Files.readString(stats)).find() ? Optional.empty() : Optional.of(rows);
    }

    /** Returns the rows of a run that has lost nothing. */
    private List<String> receivedWhole(Path capture, Path text) throws Exception {
        Optional<List<String>> rows = received(capture, text);
        for (int i = 1; i < TRIES && rows.isEmpty(); i++) {
            rows = received(capture, text);
        }
        assertFalse(rows.isEmpty(), () -> capture + ": packets were lost in each try");
        return rows.get();
    }

    private void assertSame(Path capture, String sql) throws Exception {
        Path text = folder.resolve("queries.sql");
        Files.writeString(text, sql);
        List<String> direct =
                sorted(
                        Cli.run(
                                "run",
                                "--pcap",
                                capture.toString(),
                                "--lateness",
                                LATENESS,
                                "--sql",
                                text.toString(),
                                "--format",
                                "json"));
        List<String> extra = new ArrayList<>(receivedWhole(capture, text));
        List<String> missing = direct.stream().filter(row -> !extra.remove(row)).toList();
        assertEquals(List.of(), missing.stream().limit(5).toList(), "missing of " + capture);
        assertEquals(List.of(), extra.stream().limit(5).toList(), "extra of " + capture);
    }

    @Test
    void theLibrarysRowsOfTheDemoAreThoseOfThePackets() throws Exception {
        assertSame(DEMO, library());
    }

    @Test
    void rowsOfSharedCapturesAreThoseOfThePackets() throws Exception {
        Assumptions.assumeTrue(Files.isDirectory(CAPTURES), "skipped: no shared captures");
        List<Path> captures;
        try (Stream<Path> files = Files.walk(CAPTURES)) {
            captures =
                    files.filter(file -> file.toString().endsWith(".pcap"))
                            .filter(file -> file.toFile().length() < MOST_BYTES)
                            .sorted()
                            .toList();
        }
        int step = Math.max(1, captures.size() / MOST_CAPTURES);
        for (int i = 0; i < captures.size(); i += step) {
            assertSame(captures.get(i), library());
        }
    }

    @Test
    void impossibleOptionsAreErrors() {
        String pcap = "pcap:" + DEMO;
        String[][] wrong = {
            {"--speed", "0"},
            {"--speed", "1", "--packets-per-second", "5"},
            {"--packets", "0"},
            {"--datagram", "10"},
            {"--layout", "flow33"},
            {"--to", "127.0.0.1:0"},
        };
        for (String[] options : wrong) {
            List<String> command = new ArrayList<>(List.of("send", "--source", pcap));
            if (!options[0].equals("--to")) {
                command.addAll(List.of("--to", "127.0.0.1:9"));
            }
            command.addAll(List.of(options));
            Cli.Result result = Cli.run(command.toArray(String[]::new));
            assertEquals(2, result.code(), result.err());
            assertTrue(
                    result.err().startsWith("error INVALID_OPTION: " + options[0]), result.err());
        }
    }
}
