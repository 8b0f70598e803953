package io.weir.cluster.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.node.PcapFile;
import io.weir.operators.memory.Fifo;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code tcpdump -w - | weir run}: captures that come through pipes. */
@Timeout(300)
class PipeTest {
    private static final int ROUNDS = 25;
    private static final long SECOND_NS = 1_000_000_000L;

    /** Rows, windows, totals, and what is woken by them. */
    private static final String QUERIES =
            """
            CREATE QUERY each_packet AS SELECT ts, src_addr, bytes, node_id FROM packets;
            CREATE QUERY busy AS SELECT src_addr, COUNT(*) AS n, SUM(bytes) AS b FROM packets
            GROUP BY TUMBLE(ts, INTERVAL '1' SECOND), src_addr HAVING COUNT(*) > 3;
            CREATE QUERY woken AS SELECT dst_port, COUNT(*) AS n FROM packets
            GROUP BY TUMBLE(ts, INTERVAL '1' SECOND), dst_port
            WHEN busy.n > 5 FOR INTERVAL '2' SECOND;
            SELECT src_addr, dst_addr, COUNT(*) AS n FROM packets GROUP BY src_addr, dst_addr;
            """;

    @TempDir private Path folder;

    private static Path capture(Random random, Path file) throws IOException {
        PcapFile capture = new PcapFile();
        long atNs = 0;
        int gapNs = 1 << 10 + random.nextInt(20);
        for (int i = random.nextInt(1000); i > 0; i--) {
            atNs += random.nextInt(gapNs) + (random.nextInt(200) == 0 ? 4 * SECOND_NS : 0);
            long ns =
                    Math.max(
                            0, atNs - (random.nextInt(9) == 0 ? random.nextInt(2_000_000_000) : 0));
            if (random.nextInt(20) == 0) {
                capture.arp(ns);
            } else {
                int source = 0x0a000000 + random.nextInt(5);
                capture.udp(ns, source, 0x0a010000 + random.nextInt(5), random.nextInt(9), 60);
            }
        }
        byte[] whole = Files.readAllBytes(capture.write(file));
        boolean cut = random.nextBoolean();
        return Files.write(
                file, Arrays.copyOf(whole, cut ? random.nextInt(whole.length) : whole.length));
    }

    /**
     * Rows and errors of a run, the notes among them, and of its account what is not of blocks. In
     * what order rows come depends on these, too, where packets are out of order.
     */
    private String run(List<Path> captures, List<String> options) throws IOException {
        Path stats = folder.resolve("stats");
        Files.deleteIfExists(stats);
        List<String> arguments = new ArrayList<>(List.of("run", "-e", QUERIES, "--format", "json"));
        arguments.addAll(List.of("--stats", stats.toString()));
        arguments.addAll(options);
        arguments.add("--pcap");
        captures.forEach(capture -> arguments.add("n" + arguments.size() + "=" + capture));
        Cli.Result result = Cli.run(arguments.toArray(String[]::new));
        StringBuilder said = new StringBuilder(result.code() + "\n");
        result.out().lines().sorted().forEach(row -> said.append(row).append('\n'));
        result.err()
                .lines()
                .filter(line -> line.matches("(error|note).*capture.*"))
                .sorted() // notes are in the order in which captures ended
                .forEach(said::append);
        if (Files.exists(stats)) {
            Files.readAllLines(stats).stream()
                    .filter(line -> !line.contains("\"blocks\""))
                    .map(line -> line.contains("query:woken") ? processed(line) : line)
                    .forEach(line -> said.append('\n').append(line));
        }
        return said.toString();
    }

    /**
     * Which packets came while a query slept depends on the blocks, and so does whether one that is
     * late, too, is counted as that.
     */
    private static String processed(String stage) {
        return stage.replaceAll("\"(offered|inactive|late)\": \\d+", "");
    }

    @Test
    void aPipeGivesTheRowsAndTheAccountOfTheFile() throws Exception {
        long seed = Long.getLong("weir.seed", 1);
        Random random = new Random(seed);
        for (int round = 0; round < ROUNDS; round++) {
            List<String> options =
                    List.of("--partitions", "" + (1 + random.nextInt(2)), "--wait", "park");
            List<Path> files = new ArrayList<>();
            List<Path> piped = new ArrayList<>();
            for (int i = random.nextInt(3); i >= 0; i--) {
                Path file = capture(random, folder.resolve("capture" + i));
                files.add(file);
                piped.add(file);
                if (i == 0 || random.nextBoolean()) {
                    Path fifo = Fifo.in(folder, "capture" + i + "-pipe");
                    piped.set(piped.size() - 1, fifo);
                    byte[] bytes = Files.readAllBytes(file);
                    Fifo.write(fifo, bytes, random.nextLong());
                }
            }
            String ofFiles = run(files, options);
            String ofPipes = run(piped, options).replace("-pipe", "");
            assertEquals(ofFiles, ofPipes, "seed " + seed + ", round " + round + " " + options);
        }
    }

    /** Where rows were held back, or the end of LIMIT not seen, this would wait for ever. */
    @Test
    void rowsComeWhileThePipeIsOpen() throws Exception {
        byte[] packets =
                Files.readAllBytes(
                        new PcapFile()
                                .udp(0, 1, 2, 53, 60)
                                .udp(5 * SECOND_NS, 1, 2, 53, 60)
                                .write(folder.resolve("a")));
        Path fifo = Fifo.in(folder, "pipe");
        CountDownLatch seen = new CountDownLatch(1);
        Thread writer =
                Fifo.write(
                        fifo,
                        out -> {
                            out.write(packets);
                            seen.await();
                        });
        ByteArrayOutputStream rows = new ByteArrayOutputStream();
        OutputStream out =
                new OutputStream() {
                    @Override
                    public void write(int b) {
                        rows.write(b);
                        seen.countDown();
                    }
                };
        String sql = "SELECT COUNT(*) AS n FROM packets GROUP BY TUMBLE(ts, INTERVAL '1' SECOND)";
        String[] run = {"run", "-e", sql, "--format", "csv", "--pcap", fifo.toString()};
        assertEquals(0, Cli.run("", out, run).code());
        assertEquals("n\n1\n1\n", rows.toString(StandardCharsets.UTF_8));
        writer.join();
        assertLimitEnds(packets);
    }

    private void assertLimitEnds(byte[] packets) throws Exception {
        Path fifo = Fifo.in(folder, "pipe");
        CountDownLatch ended = new CountDownLatch(1);
        Thread writer =
                Fifo.write(
                        fifo,
                        out -> {
                            out.write(packets);
                            ended.await();
                        });
        String sql = "SELECT bytes FROM packets LIMIT 1";
        Cli.Result result = Cli.run("run", "-e", sql, "--format", "csv", "--pcap", fifo.toString());
        ended.countDown();
        assertEquals("bytes\n60\n", result.out(), result.err());
        writer.join();
    }

    @Test
    void whatReadsAgainSaysSo() throws IOException {
        for (String pipe : List.of("-", Fifo.in(folder, "pipe").toString())) {
            String command = "worker --kafka 127.0.0.1:9 --slices s --pcap " + pipe;
            Cli.Result result = Cli.run(command.split(" "));
            assertEquals(2, result.code(), command);
            String name = pipe.equals("-") ? "standard input" : pipe;
            String error = "error UNREADABLE_INPUT: " + name + " is no file, and is read more";
            assertTrue(result.err().startsWith(error), result.err());
        }
    }

    @Test
    void aConsoleHasItsStandardInputForStatements() {
        Cli.Result result = Cli.run("sql", "--pcap", "-");
        assertEquals(2, result.code());
        String error = "error INVALID_OPTION: statements and packets cannot both come from";
        assertTrue(result.err().startsWith(error), result.err());
    }

    @Test
    void aPipeHasOneReader() {
        String pipe = Fifo.in(folder, "pipe").toString();
        String sql = "SELECT COUNT(*) AS n FROM packets";
        for (String twice : List.of("-", pipe)) {
            List<String> run = new ArrayList<>(List.of("run", "-e", sql, "--pcap", twice));
            Collections.addAll(run, "a=" + twice);
            Cli.Result result = Cli.run(run.toArray(String[]::new));
            assertEquals(2, result.code());
            assertTrue(result.err().contains(" is named twice\n"), result.err());
        }
        Cli.Result both = Cli.run("run", "--sql", pipe, "--pcap", pipe);
        assertEquals(2, both.code());
        assertTrue(both.err().contains("statements and packets cannot both come from"), both.err());
    }
}
