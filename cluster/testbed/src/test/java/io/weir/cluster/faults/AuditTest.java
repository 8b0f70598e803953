package io.weir.cluster.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.demo.Processes;
import io.weir.cluster.faults.Life.End;
import io.weir.cluster.faults.Queries.Woken;
import io.weir.cluster.kafka.Topics;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An audit that finds nothing wrong must be one that would. */
class AuditTest {
    private static final long SEED = Long.getLong("weir.seed", 11);
    private static final long SECOND = Queries.WINDOW_NS;
    private static final long BEGIN = 1_800_000_000L * SECOND + 345_678_901L;
    private static final long MANY = 1_000_000;
    private static final long MIX = 0x9E3779B97F4A7C15L;
    private static final long HORIZON = Audit.endNs(BEGIN) + 20 * SECOND;

    @TempDir private Path directory;
    private final Random random = new Random(SEED);
    private Frames frames;
    private Life first;
    private Life second;

    /** End of the window that lacks the row that may wake. */
    private long lostNs;

    /** A row as a query would make it. */
    private record Row(
            String query,
            String node,
            long endNs,
            long flow,
            long packets,
            long bytes,
            double completeness,
            long missing) {
        Row with(long otherPackets) {
            return new Row(query, node, endNs, flow, otherPackets, bytes, completeness, missing);
        }

        /** With one packet, of a window that says so. */
        Row lacking(double complete, long packetsMissing) {
            return new Row(query, node, endNs, flow, 1, 1, complete, packetsMissing);
        }

        /** With its packets, of a window that says that some are missing. */
        Row saying(long packetsMissing) {
            return new Row(query, node, endNs, flow, packets, bytes, completeness, packetsMissing);
        }

        boolean isOf(String name, long windowEndNs) {
            return query.equals(name) && endNs == windowEndNs;
        }
    }

    @BeforeEach
    void lives() {
        Path capture = Path.of("..", "..", "demo", "capture.pcap");
        frames = new Frames(Excerpt.of(capture, directory.resolve("excerpt.pcap")));
        first = life("Node1", BEGIN);
        second = life("Node2", BEGIN + SECOND / 3);
    }

    private static Life life(String node, long beginNs) {
        Life life = new Life(node, Path.of("none"), new Processes.Started(node, null, null));
        life.began(beginNs);
        return life;
    }

    private List<Row> right() {
        List<Row> rows = new ArrayList<>();
        Map<Long, Window> both = new TreeMap<>();
        for (Life life : List.of(first, second)) {
            Map<Long, Window> windows = new TreeMap<>();
            frames.each(
                    life.beginNs(),
                    life.beginNs(),
                    HORIZON,
                    life.limit(),
                    (ts, flow, bytes) -> {
                        window(windows, ts).count(flow, bytes);
                        window(both, ts).count(flow, bytes);
                    });
            add(rows, Queries.EACH, life.node(), windows);
        }
        add(rows, Queries.ALL, "", both);
        add(rows, Queries.SORTED, "", both);
        return rows;
    }

    private static Window window(Map<Long, Window> windows, long tsNs) {
        return windows.computeIfAbsent(Audit.endNs(tsNs), end -> new Window());
    }

    private static void add(List<Row> rows, String query, String node, Map<Long, Window> windows) {
        windows.forEach(
                (endNs, window) ->
                        window.groups()
                                .forEach(
                                        (flow, g) ->
                                                rows.add(
                                                        new Row(
                                                                query,
                                                                node,
                                                                endNs,
                                                                flow,
                                                                g.packets(),
                                                                g.bytes(),
                                                                1,
                                                                0))));
    }

    private Audit audit(List<Row> rows) {
        return audit(rows, audit -> {});
    }

    private Audit audit(List<Row> rows, Consumer<Audit> known) {
        RowLog log = new RowLog();
        rows.forEach(row -> add(log, row));
        addBusy(log);
        Audit audit = new Audit(frames, List.of(first, second), log);
        known.accept(audit);
        audit.upTo(HORIZON - 5 * SECOND);
        audit.upTo(HORIZON);
        audit.told(first);
        audit.told(second);
        return audit;
    }

    /** Of merged rows each shard has some. */
    private static String maker(Row row) {
        boolean merged = row.query().equals(Queries.ALL);
        return merged
                ? "shard-" + Math.floorMod(Long.hashCode(row.flow() * MIX), Topics.SHARDS)
                : row.node();
    }

    private static void add(RowLog log, Row row) {
        log.row(
                row.query(),
                row.node(),
                maker(row),
                row.endNs(),
                row.flow(),
                row.packets(),
                row.bytes(),
                row.completeness(),
                0,
                row.missing());
    }

    /** The row that may wake, of each window of a worker but for one; none is busy. */
    private void addBusy(RowLog log) {
        for (Queries.Woken woken : Queries.WOKEN.subList(0, 2)) {
            for (long end = Audit.endNs(BEGIN); end <= HORIZON; end += SECOND) {
                if (end != lostNs) {
                    log.row(woken.by(), "", woken.madeBy(), end, 0, 0, 0, 1, 0, 0);
                }
            }
        }
    }

    /** What workers have made, rows that wake, and wakes, may come after merged rows. */
    @Test
    void theLastRowsAreAwaited() throws Exception {
        RowLog log = new RowLog();
        List<Row> late = new ArrayList<>();
        for (Row row : right()) {
            if (row.endNs() == HORIZON && !row.node().isEmpty() && random.nextBoolean()) {
                late.add(row);
            } else {
                add(log, row);
            }
        }
        Woken woken = Queries.WOKEN.get(2);
        List<Runnable> rest = new ArrayList<>();
        rest.add(() -> late.forEach(row -> add(log, row)));
        rest.add(() -> addBusy(log));
        rest.add(() -> log.row(woken.by(), "", woken.madeBy(), HORIZON, 0, MANY, MANY, 1, 0, 0));
        rest.add(() -> log.wake(woken.name(), HORIZON + woken.delayNs()));
        Collections.shuffle(rest, random);
        Thread comes = new Thread(() -> rest.forEach(AuditTest::soon));
        first.ended(End.STOPPED, HORIZON, Long.MAX_VALUE);
        second.ended(End.STOPPED, HORIZON, Long.MAX_VALUE);
        Audit audit = new Audit(frames, List.of(first, second), log);
        comes.start();
        audit.awaitAll(HORIZON, Duration.ofMinutes(1));
        audit.upTo(HORIZON);
        audit.told(first);
        audit.told(second);
        comes.join();
        assertEquals(List.of(), audit.wrong(), "seed " + SEED);
        assertTrue(audit.summary().contains("; 1 wakes by "), audit.summary());
    }

    private static void soon(Runnable something) {
        LockSupport.parkNanos(SECOND / 10);
        something.run();
    }

    private void isWrong(String how, Consumer<List<Row>> change) {
        List<Row> rows = right();
        change.accept(rows);
        assertFalse(audit(rows).wrong().isEmpty(), how + ", seed " + SEED);
    }

    private int any(List<Row> rows) {
        return random.nextInt(rows.size());
    }

    @Test
    void rightRowsAreRight() {
        assertEquals(List.of(), audit(right()).wrong());
    }

    @Test
    void anyWrongRowIsFound() {
        for (int i = 0; i < 20; i++) {
            isWrong("twice", rows -> rows.add(rows.get(any(rows))));
            isWrong("missing", rows -> rows.removeIf(rows.get(any(rows))::equals));
            isWrong(
                    "one packet more",
                    rows -> {
                        int at = any(rows);
                        rows.set(at, rows.get(at).with(rows.get(at).packets() + 1));
                    });
            isWrong(
                    "one packet less",
                    rows -> {
                        int at = any(rows);
                        rows.set(at, rows.get(at).with(rows.get(at).packets() - 1));
                    });
        }
    }

    /** Whole windows that nobody has said to be lost. */
    @Test
    void missingWindowsAreFound() {
        long end = HORIZON - 7 * SECOND;
        for (String query : Queries.NAMES) {
            isWrong(query, rows -> rows.removeIf(r -> r.query().equals(query) && r.endNs() == end));
        }
    }

    /** As many rows as are missing, or as many more as triggers may be. */
    @Test
    void lostRowsAreTold() {
        lostNs = HORIZON - 7 * SECOND;
        List<Row> rows = right();
        rows.removeIf(r -> r.isOf(Queries.EACH, lostNs));
        for (Life life : List.of(first, second)) {
            life.rowsLost(groups(life.node()) + 1);
        }
        assertEquals(List.of(), audit(rows).wrong());
        first.rowsLost(groups("Node1"));
        assertFalse(audit(rows).wrong().isEmpty());
        first.rowsLost(groups("Node1") + 4);
        assertFalse(audit(rows).wrong().isEmpty());
    }

    private long groups(String node) {
        return right().stream()
                .filter(r -> r.isOf(Queries.EACH, lostNs) && r.node().equals(node))
                .count();
    }

    /** Of a process that was killed the last windows may be missing, and only those. */
    @Test
    void theLastWindowsGoWithAProcess() {
        long diedNs = HORIZON - 8 * SECOND - SECOND / 2;
        first.ended(End.KILLED, diedNs, frames.before(first.beginNs(), diedNs));
        List<Row> rows = right();
        rows.removeIf(r -> r.node().equals("Node1") && r.endNs() > diedNs - SECOND);
        Audit audit = audit(rows);
        assertEquals(List.of(), audit.wrong());
        assertFalse(audit.summary().contains("+ 0 lost with processes"), audit.summary());

        first.ended(End.KILLED, diedNs, frames.before(first.beginNs(), diedNs));
        rows.removeIf(r -> r.node().equals("Node1") && r.endNs() == HORIZON - 12 * SECOND);
        assertFalse(audit(rows).wrong().isEmpty());
    }

    /** Its next one knows of them: its rows tell how many packets they had. */
    @Test
    void theNextProcessTellsWhatWentWithOne() {
        long diedNs = HORIZON - 12 * SECOND - SECOND / 2;
        first.ended(End.KILLED, diedNs, frames.before(first.beginNs(), diedNs));
        Life next = life("Node1", diedNs + 2 * SECOND);
        TreeMap<Long, Window> rows = new TreeMap<>(windows(first));
        NavigableMap<Long, Window> lost = rows.tailMap(diedNs - SECOND, false);
        long packets = lost.values().stream().mapToLong(Window::packets).sum();
        lost.clear();
        rows.putAll(windows(next));
        assertTrue(packets > 1);
        assertEquals(List.of(), untold(next, rows, packets));
        assertEquals(1, untold(next, rows, packets - 1).size());
        assertEquals(1, untold(next, rows, packets + 1).size());
    }

    private Map<Long, Window> windows(Life life) {
        Map<Long, Window> windows = new TreeMap<>();
        frames.each(
                life.beginNs(),
                life.beginNs(),
                HORIZON,
                life.limit(),
                (ts, flow, bytes) -> window(windows, ts).count(flow, bytes));
        return windows;
    }

    /** What the audit says of these where the next one's first rows tell so many packets. */
    private List<String> untold(Life next, Map<Long, Window> rows, long told) {
        RowLog log = new RowLog();
        rows.forEach(
                (endNs, window) ->
                        window.groups()
                                .forEach(
                                        (flow, g) -> {
                                            boolean tells = endNs == Audit.endNs(next.beginNs());
                                            log.row(
                                                    Queries.EACH,
                                                    "Node1",
                                                    "Node1",
                                                    endNs,
                                                    flow,
                                                    g.packets(),
                                                    g.bytes(),
                                                    tells ? 0.5 : 1,
                                                    tells ? told : 0,
                                                    0);
                                        }));
        Audit audit = new Audit(frames, List.of(first, next), log);
        audit.upTo(HORIZON);
        return audit.wrong().stream().filter(what -> what.contains("(each_node)")).toList();
    }

    /** What is in an outbox is not lost with its process; nor is more than was on its way. */
    @Test
    void finishedWindowsDoNotGoWithAProcess() {
        for (End end : List.of(End.KILLED, End.REPLACED)) {
            long mostNs = end == End.KILLED ? Audit.MOST_OPEN_NS : Audit.MOST_UNSENT_NS;
            assertEquals(List.of(), withoutTheLast(mostNs, end));
            assertFalse(withoutTheLast(mostNs + SECOND, end).isEmpty(), end.toString());
        }
    }

    private List<String> withoutTheLast(long ns, End end) {
        long diedNs = HORIZON - 8 * SECOND - SECOND / 2;
        first.ended(end, diedNs, frames.before(first.beginNs(), diedNs));
        List<Row> rows = right();
        rows.removeIf(r -> r.node().equals("Node1") && r.endNs() > diedNs - ns);
        return audit(rows).wrong();
    }

    /** What a replaced process goes on to write is in nobody's packets. */
    @Test
    void rowsOfAReplacedProcessAreFound() {
        long frozenNs = HORIZON - 8 * SECOND - SECOND / 2;
        List<Row> rows = right();
        first.ended(End.REPLACED, frozenNs, frames.before(first.beginNs(), frozenNs));
        assertFalse(audit(rows).wrong().isEmpty());
    }

    /**
     * A merged window of a time when a worker was lost may count less if it says so; never more.
     */
    @Test
    void windowsOfALossMayCountLess() {
        List<Row> rows = right();
        long end = HORIZON - 7 * SECOND;
        rows.replaceAll(r -> r.isOf(Queries.ALL, end) ? r.lacking(0.5, 7) : r);
        Audit right = audit(rows, audit -> audit.loss(end, end, end));
        assertEquals(List.of(), right.wrong());
        assertTrue(right.summary().contains(", 7 estimated as missing;"), right.summary());
        assertFalse(audit(rows).wrong().isEmpty());
        long later = end + 5 * SECOND;
        assertFalse(audit(rows, audit -> audit.loss(later, later, later)).wrong().isEmpty());
        long sooner = end - 3 * SECOND;
        assertFalse(audit(rows, audit -> audit.loss(sooner, sooner, sooner)).wrong().isEmpty());
        rows.replaceAll(r -> r.completeness() == 0.5 ? r.with(1_000_000) : r);
        assertFalse(audit(rows, audit -> audit.loss(end, end, end)).wrong().isEmpty());
    }

    /**
     * A shard that has no rows of a window cannot say what it lacks; the others' rows are whole.
     */
    @Test
    void aShardWithoutRowsSaysNothing() {
        long end = HORIZON - 7 * SECOND;
        List<Row> rows = right();
        rows.removeIf(r -> r.isOf(Queries.ALL, end) && maker(r).equals("shard-1"));
        Audit right = audit(rows, audit -> audit.loss(end, end, end));
        assertEquals(List.of(), right.wrong());
        assertTrue(right.summary().contains(" 1 are incomplete"), right.summary());
        assertFalse(audit(rows).wrong().isEmpty());
        rows.replaceAll(r -> r.isOf(Queries.ALL, end) ? r.with(r.packets() - 1) : r);
        assertFalse(audit(rows, audit -> audit.loss(end, end, end)).wrong().isEmpty());

        List<Row> heard = right();
        List<Row> last = heard.stream().filter(r -> r.isOf(Queries.ALL, end)).toList();
        assertEquals(Topics.SHARDS, last.stream().map(AuditTest::maker).distinct().count());
        heard.remove(
                last.stream()
                        .filter(
                                r ->
                                        last.stream().filter(o -> maker(o).equals(maker(r))).count()
                                                > 1)
                        .findAny()
                        .orElseThrow());
        assertFalse(audit(heard, audit -> audit.loss(end, end, end)).wrong().isEmpty());

        List<Row> sorted = right();
        sorted.remove(
                sorted.stream().filter(r -> r.isOf(Queries.SORTED, end)).findAny().orElseThrow());
        assertFalse(audit(sorted, audit -> audit.loss(end, end, end)).wrong().isEmpty());
    }

    /** A window says of packets that are missing, or is complete: one or the other. */
    @Test
    void whatIsMissingIsSaid() {
        long end = HORIZON - 7 * SECOND;
        for (String query : List.of(Queries.ALL, Queries.SORTED)) {
            isWrong(
                    "complete, and lacks packets",
                    rows -> rows.replaceAll(r -> r.isOf(query, end) ? r.lacking(1, 0) : r));
            isWrong(
                    "complete, and says that packets are missing",
                    rows -> rows.replaceAll(r -> r.isOf(query, end) ? r.saying(1) : r));
            List<Row> rows = right();
            rows.replaceAll(r -> r.isOf(query, end) ? r.lacking(0.5, 0) : r);
            List<String> wrong = audit(rows, audit -> audit.loss(end, end, end)).wrong();
            assertEquals(1, wrong.size(), "incomplete, and says of nothing: " + wrong);
        }
    }
}
