package io.weir.cluster.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.node.PcapFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Packets whose time stamps are odd: which windows count them, and who tells of the others. */
final class TimeOfPacketsTest {
    private static final long MS = 1_000_000L;
    private static final long SECOND = 1_000 * MS;
    private static final long DAY = 86_400 * SECOND;
    private static final int A = 0x0a000001;

    private static final String PER_SECOND =
            "SELECT COUNT(*) AS n, packets_late, completeness FROM packets"
                    + " GROUP BY TUMBLE(ts, INTERVAL '1' SECOND)";

    private static final Pattern REMEDY = Pattern.compile("--lateness (\\S+) would have counted");
    private static final Pattern LEFT_OUT =
            Pattern.compile(
                    "\"query:q1\", \"offered\": (\\d+), \"processed\": (\\d+),.*\"future\": (\\d+),"
                            + ".*\"late\": (\\d+)");

    private final long seed = Long.getLong("weir.seed", 7);

    @TempDir private Path folder;

    private Cli.Result run(Path file, String sql, String... more) {
        List<String> arguments = new ArrayList<>(List.of("run", "--pcap", file.toString()));
        arguments.addAll(List.of("-e", sql, "--format", "csv"));
        arguments.addAll(List.of(more));
        Cli.Result result = Cli.run(arguments.toArray(String[]::new));
        assertEquals(0, result.code(), result.err());
        return result;
    }

    private Path write(String name, long... timesNs) {
        PcapFile file = new PcapFile();
        for (int i = 0; i < timesNs.length; i++) {
            file.udp(timesNs[i], A + i % 7, A + 100 + i % 3, 53, 100);
        }
        return file.write(folder.resolve(name));
    }

    /** Ten packets a second; the 13th is stamped a day ahead. */
    @Test
    void onePacketFromTheFutureIsToldApart() {
        long[] times = new long[60];
        for (int i = 0; i < times.length; i++) {
            times[i] = i * 100 * MS + (i == 12 ? DAY : 0);
        }
        Cli.Result result = run(write("future", times), PER_SECOND);
        String all = "10,0,1.0\n";
        assertEquals(
                "n,packets_late,completeness\n" + all + "9,1,0.9\n" + all.repeat(4), result.out());
        assertTrue(
                result.err().contains("windows left out 1 packet that was stamped up to 24h1m"),
                result.err());
    }

    @Test
    void framesThatAreNoPacketsMoveNoClock() {
        PcapFile file = new PcapFile();
        for (int i = 0; i < 30; i++) {
            file.udp(i * 100 * MS, A, A + 1, 53, 100)
                    .arp(i == 12 ? DAY : i * 100 * MS + 2 * SECOND);
        }
        String rows = run(file.write(folder.resolve("arp")), PER_SECOND).out();
        assertEquals("n,packets_late,completeness\n" + "10,0,1.0\n".repeat(3), rows);
    }

    private static long[] disorder(Random random) {
        long[] times = new long[500 + random.nextInt(1_500)];
        long now = 0;
        for (int i = 0; i < times.length; i++) {
            now += random.nextInt(20) * MS + (random.nextInt(300) == 0 ? 3 * DAY / 24 : 0);
            now -= random.nextInt(400) == 0 ? random.nextLong(20 * SECOND) : 0;
            times[i] = now;
            times[i] -= random.nextInt(10) == 0 ? random.nextLong(4 * SECOND) : 0;
            times[i] += random.nextInt(100) == 0 ? DAY : 0;
        }
        return times;
    }

    /** The rows do not depend on the shape; rows, account and note add up; the remedy helps. */
    @Test
    void whatWindowsLeaveOutIsToldTheSameByAnyShape() throws IOException {
        Random random = new Random(seed);
        for (int round = 0; round < 5; round++) {
            String about = "-Dweir.seed=" + seed + ", round " + round;
            long[] times = disorder(random);
            Path file = write("disorder" + round, times);
            Path stats = folder.resolve("stats");
            Cli.Result one = run(file, PER_SECOND, "--stats", stats.toString());
            long[] sums = sums(one.out());
            assertEquals(times.length, sums[0] + sums[1], about);
            Matcher page = LEFT_OUT.matcher(Files.readString(stats));
            assertTrue(page.find(), Files.readString(stats));
            assertEquals(times.length, Long.parseLong(page.group(1)), about);
            assertEquals(sums[0], Long.parseLong(page.group(2)), about);
            long leftOut = Long.parseLong(page.group(3)) + Long.parseLong(page.group(4));
            assertEquals(sums[1], leftOut, about);
            shapes(file, one, random, about);
            String total = run(file, "SELECT COUNT(*) AS n FROM packets").out();
            assertEquals("n\n" + times.length + "\n", total, about);
            remedy(file, one, times.length, about);
        }
    }

    private void shapes(Path file, Cli.Result one, Random random, String about) {
        for (String pipelines : List.of("1", "2", "3")) {
            String slots = Integer.toString(1 << random.nextInt(8));
            Cli.Result other =
                    run(file, PER_SECOND, "--pipelines", pipelines, "--cache-slots", slots);
            assertEquals(one.out(), other.out(), about + ", --pipelines " + pipelines);
        }
    }

    private void remedy(Path file, Cli.Result one, long packets, String about) {
        Matcher remedy = REMEDY.matcher(one.err());
        assertTrue(remedy.find(), one.err());
        long[] sums = sums(run(file, PER_SECOND, "--lateness", remedy.group(1)).out());
        assertEquals(packets, sums[0], about + " --lateness " + remedy.group(1));
        assertEquals(0, sums[1], about);
    }

    /** Of n and of packets_late. */
    private static long[] sums(String csv) {
        long[] sums = new long[2];
        csv.lines()
                .skip(1)
                .map(line -> line.split(","))
                .forEach(
                        row -> {
                            sums[0] += Long.parseLong(row[0]);
                            sums[1] += Long.parseLong(row[1]);
                        });
        return sums;
    }
}
