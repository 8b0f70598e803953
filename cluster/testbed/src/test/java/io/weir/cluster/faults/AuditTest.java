package io.weir.cluster.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.faults.Life.End;
import io.weir.cluster.faults.Queries.Woken;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.testing.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** An audit that finds nothing wrong must be one that would. */
class AuditTest extends AuditedRows {
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
        Thread auditing = Thread.currentThread();
        Thread comes = new Thread(() -> rest.forEach(each -> onceAwaited(auditing, each)));
        first.ended(End.STOPPED, HORIZON, Long.MAX_VALUE);
        second.ended(End.STOPPED, HORIZON, Long.MAX_VALUE);
        Audit audit = new Audit(frames, List.of(first, second), log, KafkaSettings.SHARDS);
        comes.start();
        audit.awaitAll(HORIZON, Duration.ofMinutes(1));
        audit.upTo(HORIZON);
        audit.told(first);
        audit.told(second);
        comes.join();
        assertEquals(List.of(), audit.wrong(), "seed " + SEED);
        assertTrue(audit.summary().contains("; 1 wakes by "), audit.summary());
    }

    /** Runs it once the audit waits. */
    private static void onceAwaited(Thread audit, Runnable something) {
        Await.until(() -> audit.getState() != Thread.State.RUNNABLE);
        something.run();
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
                                            boolean tells = endNs == Queries.endNs(next.beginNs());
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
        Audit audit = new Audit(frames, List.of(first, next), log, KafkaSettings.SHARDS);
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
}
