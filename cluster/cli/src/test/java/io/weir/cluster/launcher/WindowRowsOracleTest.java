package io.weir.cluster.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.cluster.node.PcapFile;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Sessions, rows of windows without packets, and NEW mean the same as a plain walk over the
 * packets, for any number of pipelines, straight over packets and over the rows of a query.
 */
class WindowRowsOracleTest {
    private static final int ROUNDS = Integer.getInteger("weir.rounds", 25);
    private static final long MS = 1_000_000L;
    private static final int PORTS = 6;
    private static final Pattern FIELD = Pattern.compile("\"(\\w+)\":(\"[^\"]*\"|[-\\w.]+)");

    @TempDir private Path folder;

    /** A packet, or a row that passes it on. */
    private record Packet(long ns, int port, long bytes) {}

    /** The packets of a group. */
    private static final class Group {
        private long count;
        private long bytes;
        private long firstNs = Long.MAX_VALUE;
        private long lastNs = Long.MIN_VALUE;

        void add(Packet packet) {
            count++;
            bytes += packet.bytes();
            firstNs = Math.min(firstNs, packet.ns());
            lastNs = Math.max(lastNs, packet.ns());
        }

        @Override
        public String toString() {
            return count + " " + (count == 0 ? "null" : bytes);
        }
    }

    private final long seed = Long.getLong("weir.seed", 7);
    private final List<Packet> packets = new ArrayList<>();
    private String pcap;

    /** The time of the first packet in the file; others can be a little older. */
    private long firstNs;

    private void capture(Random random) {
        packets.clear();
        PcapFile file = new PcapFile();
        long nowNs = random.nextInt(1_000_000_000);
        for (int i = 0; i < 300; i++) {
            nowNs += random.nextInt(25) == 0 ? random.nextInt(4_000) * MS : random.nextInt(40) * MS;
            long atNs =
                    Math.max(0, nowNs - (random.nextInt(5) == 0 ? random.nextInt(400) * MS : 0));
            int port = random.nextInt(PORTS);
            int bytes = 28 + random.nextInt(300);
            file.udp(atNs, 0x0a000001 + random.nextInt(3), 0x0a000100 + port, port, bytes);
            packets.add(new Packet(PcapFile.START_NS + atNs, port, bytes));
        }
        firstNs = packets.get(0).ns();
        packets.sort((a, b) -> Long.compare(a.ns(), b.ns()));
        pcap = file.write(folder.resolve("p.pcap")).toString();
    }

    @Test
    void sessionsAreThePacketsBetweenPauses() {
        for (int round = 0; round < ROUNDS; round++) {
            Random random = new Random(seed + round);
            capture(random);
            long gapNs = (1 + random.nextInt(1_500)) * MS;
            boolean keyed = random.nextInt(3) > 0;
            String group = "SESSION(ts, INTERVAL '" + gapNs / MS + "' MILLISECOND)";
            String sql =
                    "SELECT window_start, window_end, COUNT(*) AS n, SUM(bytes) AS b"
                            + (keyed ? ", dst_port AS k" : "")
                            + from(random)
                            + " GROUP BY "
                            + group
                            + (keyed ? ", dst_port" : "");
            check(round, sql, sessions(gapNs, keyed));
        }
    }

    private static String from(Random random) {
        return random.nextInt(3) > 0
                ? " FROM packets"
                : " FROM (SELECT ts, bytes, dst_port FROM packets) AS p";
    }

    private List<String> sessions(long gapNs, boolean keyed) {
        List<String> rows = new ArrayList<>();
        for (int port = 0; port < (keyed ? PORTS : 1); port++) {
            Group open = new Group();
            for (Packet packet : packets) {
                if (!keyed || packet.port() == port) {
                    if (open.count > 0 && packet.ns() - open.lastNs >= gapNs) {
                        rows.add(session(open, gapNs, keyed ? port : -1));
                        open = new Group();
                    }
                    open.add(packet);
                }
            }
            if (open.count > 0) {
                rows.add(session(open, gapNs, keyed ? port : -1));
            }
        }
        return rows.stream().sorted().toList();
    }

    private static String session(Group group, long gapNs, int port) {
        return text(group.firstNs, group.lastNs + gapNs, group.toString(), port);
    }

    private static String text(long startNs, long endNs, String values, int port) {
        return startNs + " " + endNs + " " + values + (port < 0 ? "" : " " + port);
    }

    @Test
    void windowsWithoutPacketsHaveRows() {
        for (int round = 0; round < ROUNDS; round++) {
            Random random = new Random(seed + round);
            capture(random);
            long slideNs = (50 + random.nextInt(900)) * MS;
            int slides = 1 + random.nextInt(3);
            int kept = random.nextInt(3) == 0 ? 0 : 1 + random.nextInt(5);
            int wanted = random.nextInt(PORTS + 1);
            String interval = "INTERVAL '%d' MILLISECOND";
            String window =
                    slides == 1
                            ? "TUMBLE(ts, " + interval.formatted(slideNs / MS) + ")"
                            : "HOP(ts, "
                                    + interval.formatted(slideNs / MS)
                                    + ", "
                                    + interval.formatted(slides * slideNs / MS)
                                    + ")";
            String sql =
                    "SELECT window_start, window_end, COUNT(*) AS n, SUM(bytes) AS b"
                            + (kept > 0 ? ", dst_port AS k" : "")
                            + " FROM packets WHERE dst_port <> "
                            + wanted
                            + (kept == 0 ? " AND dst_port < 1" : "")
                            + " GROUP BY "
                            + window
                            + (kept > 0 ? ", dst_port EMIT EMPTY FOR " + kept + " WINDOWS" : "")
                            + (kept == 0 ? " EMIT EMPTY" : "");
            check(round, sql, filled(slideNs, slides, kept, wanted));
        }
    }

    private List<String> filled(long slideNs, int slides, int kept, int unwanted) {
        long oldestNs = packets.get(0).ns();
        long lastNs = packets.get(packets.size() - 1).ns();
        List<String> rows = new ArrayList<>();
        for (int port = 0; port < (kept > 0 ? PORTS : 1); port++) {
            TreeMap<Long, Group> windows = new TreeMap<>();
            for (Packet packet : packets) {
                long startNs = Math.floorDiv(packet.ns(), slideNs) * slideNs;
                for (int s = 0; s < slides && packet.port() == port && port != unwanted; s++) {
                    windows.computeIfAbsent(startNs - s * slideNs, w -> new Group()).add(packet);
                }
            }
            TreeSet<Long> starts = new TreeSet<>(windows.keySet());
            long startNs = (Math.floorDiv(oldestNs, slideNs) - slides + 1) * slideNs;
            for (; startNs <= lastNs; startNs += slideNs) {
                Long before = starts.floor(startNs);
                boolean seen = kept == 0 && startNs + slides * slideNs > firstNs;
                boolean still = before != null && startNs - before <= kept * slideNs;
                if (seen || still) {
                    Group group = windows.getOrDefault(startNs, new Group());
                    long endNs = startNs + slides * slideNs;
                    rows.add(text(startNs, endNs, group.toString(), kept > 0 ? port : -1));
                }
            }
        }
        return rows.stream().sorted().toList();
    }

    @Test
    void aKeyIsNewAfterASilence() {
        for (int round = 0; round < ROUNDS; round++) {
            Random random = new Random(seed + round);
            capture(random);
            long sizeNs = (50 + random.nextInt(900)) * MS;
            long backNs = (1 + random.nextInt(4_000)) * MS;
            String sql =
                    "SELECT window_start, window_end, COUNT(*) AS n, SUM(bytes) AS b,"
                            + " dst_port AS k FROM packets GROUP BY TUMBLE(ts, INTERVAL '"
                            + sizeNs / MS
                            + "' MILLISECOND), dst_port QUALIFY NEW(dst_port, INTERVAL '"
                            + backNs / MS
                            + "' MILLISECOND)";
            check(round, sql, fresh(sizeNs, backNs));
        }
    }

    private List<String> fresh(long sizeNs, long backNs) {
        List<String> rows = new ArrayList<>();
        for (int port = 0; port < PORTS; port++) {
            TreeMap<Long, Group> windows = new TreeMap<>();
            for (Packet packet : packets) {
                if (packet.port() == port) {
                    long startNs = Math.floorDiv(packet.ns(), sizeNs) * sizeNs;
                    windows.computeIfAbsent(startNs, w -> new Group()).add(packet);
                }
            }
            Long before = null;
            for (long startNs : windows.keySet()) {
                if (before == null || startNs - before > backNs) {
                    String values = windows.get(startNs).toString();
                    rows.add(text(startNs, startNs + sizeNs, values, port));
                }
                before = startNs;
            }
        }
        return rows.stream().sorted().toList();
    }

    private void check(int round, String sql, List<String> expected) {
        for (String pipelines : List.of("1", "3")) {
            Cli.Result result =
                    Cli.run(
                            "run",
                            "-e",
                            sql,
                            "--pcap",
                            pcap,
                            "--format",
                            "json",
                            "--pipelines",
                            pipelines);
            String where =
                    "-Dweir.seed=" + (seed + round) + ", pipelines " + pipelines + "\n" + sql;
            assertEquals(0, result.code(), result.err() + where);
            List<String> rows =
                    result.out().lines().map(WindowRowsOracleTest::row).sorted().toList();
            assertEquals(without(expected, rows), without(rows, expected), where);
            assertEquals(expected.size(), rows.size(), where);
        }
    }

    private static List<String> without(List<String> rows, List<String> others) {
        Set<String> there = new HashSet<>(others);
        return rows.stream().filter(row -> !there.contains(row)).toList();
    }

    private static String row(String json) {
        String[] values = new String[5];
        Matcher field = FIELD.matcher(json);
        while (field.find()) {
            String value = field.group(2).replace("\"", "");
            switch (field.group(1)) {
                case "window_start" -> values[0] = ns(value);
                case "window_end" -> values[1] = ns(value);
                case "n" -> values[2] = value;
                case "b" -> values[3] = value;
                case "k" -> values[4] = value;
                default -> {}
            }
        }
        return values[4] == null
                ? String.join(" ", values[0], values[1], values[2], values[3])
                : String.join(" ", values);
    }

    private static String ns(String time) {
        Instant at = Instant.parse(time);
        return Long.toString(at.getEpochSecond() * 1_000_000_000L + at.getNano());
    }
}
