package io.weir.cluster.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.node.PcapFile;
import io.weir.operators.memory.Fifo;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A live pipe brings more than a slow pipeline takes: every packet is in a row, or told as lost.
 */
@Timeout(300)
class LiveLossTest {
    private static final int PACKETS = 300_000;
    private static final long WINDOW_NS = 10_000_000L;
    private static final String QUERY =
            "SELECT window_start, COUNT(*) AS n, packets_lost, completeness FROM packets"
                    + " GROUP BY TUMBLE(ts, INTERVAL '0.01' SECOND)";
    private static final Pattern ROW =
            Pattern.compile(
                    "\"window_start\": ?\"([^\"]+)\".*\"n\": ?(\\d+).*\"packets_lost\": ?(\\d+)"
                            + ".*\"completeness\": ?([0-9.]+)");

    @TempDir private Path folder;

    private final long seed = Long.getLong("weir.seed", 5);

    private record Row(long startNs, long packets, long lost, double completeness) {}

    /** A reader of rows that takes its time. */
    private static final class Slow extends ByteArrayOutputStream {
        @Override
        public synchronized void write(byte[] bytes, int from, int length) {
            super.write(bytes, from, length);
            try {
                Thread.sleep(1 + length / 25);
            } catch (InterruptedException e) {
                throw new UncheckedIOException(new IOException(e));
            }
        }
    }

    /** Packets by window, all in time. */
    private NavigableMap<Long, Long> write(Path file) throws IOException {
        Random random = new Random(seed);
        PcapFile capture = new PcapFile();
        NavigableMap<Long, Long> windows = new TreeMap<>();
        long atNs = 0;
        for (int i = 0; i < PACKETS; i++) {
            atNs += random.nextInt(200_000);
            int source = 0x0a000000 + random.nextInt(2000);
            capture.udp(atNs, source, 0x0a010000 + random.nextInt(50), random.nextInt(9), 60);
            windows.merge(Math.floorDiv(PcapFile.START_NS + atNs, WINDOW_NS), 1L, Long::sum);
        }
        capture.write(file);
        return windows;
    }

    private List<Row> run(String uri, Path stats, String... more) {
        Slow out = new Slow();
        List<String> arguments = new ArrayList<>(List.of("run", "-e", QUERY));
        arguments.addAll(List.of("--format", "json", "--stats", stats.toString()));
        arguments.addAll(List.of(more));
        arguments.addAll(List.of("--source", uri));
        Cli.Result result = Cli.run("", out, arguments.toArray(String[]::new));
        assertEquals(0, result.code(), result.err());
        List<Row> rows = new ArrayList<>();
        out.toString(StandardCharsets.UTF_8).lines().forEach(line -> rows.add(row(line)));
        return rows;
    }

    private static Row row(String line) {
        Matcher row = ROW.matcher(line);
        assertTrue(row.find(), line);
        Instant start = Instant.parse(row.group(1).replace(' ', 'T').replaceFirst("Z?$", "Z"));
        return new Row(
                start.getEpochSecond() * 1_000_000_000L + start.getNano(),
                Long.parseLong(row.group(2)),
                Long.parseLong(row.group(3)),
                Double.parseDouble(row.group(4)));
    }

    @Test
    void whatALivePipeBringsTooFastIsToldInTheWindowsThatMissIt() throws Exception {
        Path file = folder.resolve("capture.pcap");
        NavigableMap<Long, Long> windows = write(file);
        for (String shape : List.of("1", "2")) {
            Path fifo = Fifo.in(folder, "pipe" + shape);
            Fifo.write(fifo, Files.readAllBytes(file), seed);
            Path stats = folder.resolve("stats" + shape);
            List<Row> rows = run("pcap:" + fifo + "?live=true", stats, "--pipelines", shape);
            long lost = check(windows, rows);
            assertTrue(lost > 1000, "nothing was lost: the pipeline was not slow");
            String account = Files.readString(stats);
            assertEquals(PACKETS, Cli.offered(stats));
            Matcher ringFull = Pattern.compile("\"ring_full\": (\\d+)").matcher(account);
            assertTrue(ringFull.find(), account);
            assertEquals(lost, Long.parseLong(ringFull.group(1)));
        }
    }

    /** Checks each row against the packets of its window and of windows before without rows. */
    private long check(NavigableMap<Long, Long> windows, List<Row> rows) {
        long told = Long.MIN_VALUE;
        long lost = 0;
        long packets = 0;
        for (Row row : rows) {
            long window = Math.floorDiv(row.startNs, WINDOW_NS);
            long offered =
                    windows.subMap(told, false, window, true).values().stream()
                            .mapToLong(Long::longValue)
                            .sum();
            assertEquals(offered, row.packets + row.lost, row + ", -Dweir.seed=" + seed);
            double whole = (double) row.packets / offered;
            assertEquals(whole, row.completeness, 1e-6, row + ", -Dweir.seed=" + seed);
            told = window;
            lost += row.lost;
            packets += row.packets;
        }
        // Windows behind the last row have lost all of their packets.
        lost += windows.tailMap(told, false).values().stream().mapToLong(Long::longValue).sum();
        assertEquals(PACKETS, packets + lost, "-Dweir.seed=" + seed);
        return lost;
    }

    @Test
    void aPipeThatIsNotLiveWaits() throws Exception {
        Path file = folder.resolve("capture.pcap");
        NavigableMap<Long, Long> windows = write(file);
        Path fifo = Fifo.in(folder, "pipe");
        Fifo.write(fifo, Files.readAllBytes(file), seed);
        List<Row> rows = run("pcap:" + fifo, folder.resolve("stats"), "--pipelines", "2");
        assertEquals(0, check(windows, rows));
        assertEquals(windows.size(), rows.size());
    }
}
