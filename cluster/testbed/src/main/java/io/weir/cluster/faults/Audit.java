package io.weir.cluster.faults;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Checks the rows. Each must be there once and equal the packets' counts, and packets without a row
 * must be reported as lost. It lists all faults. One thread.
 *
 * <p>For {@link Queries#EACH}, a worker's windows are whole or absent. Absent windows are the last
 * ones of a process that was killed or replaced, and no more than were open or on their way.
 * Otherwise the worker has reported as many lost rows. {@link MergedAudit} checks merged queries.
 *
 * <p>Each row that meets a condition must have its trigger, whatever was killed in between. Each
 * trigger must have its row, except for times in which rows were lost.
 */
final class Audit {
    private static final int MOST_TOLD = 12;

    /**
     * Windows that ended within this time are still on their way. Rows are in the outbox {@link
     * FaultCluster#DELAY_NS} after a window's end, and a busy machine is late. Outages of Kafka are
     * longer.
     */
    static final long MOST_OPEN_NS = 3 * Queries.WINDOW_NS;

    /** The time until they are sent. Nobody sends the outbox of a process that was replaced. */
    static final long MOST_UNSENT_NS = 2 * MOST_OPEN_NS;

    private final Frames frames;
    private final List<Life> lives;
    private final RowLog log;
    private final WakeAudit wakes;
    private final MergedAudit merged;
    private final List<String> wrong = new ArrayList<>();
    private final Map<Life, Long> missingFrom = new HashMap<>();
    private final Map<Life, Long> rowsMissing = new HashMap<>();

    /** Packets that a killed process had read without a row, and that its next process knows of. */
    private final Map<String, Long> owed = new HashMap<>();

    /** Triggers of windows with missing rows: they may have had no room either. */
    private final Map<Life, Long> triggersAtRisk = new HashMap<>();

    private long offered;
    private long inRows;
    private long withEnded;
    private long toldLost;
    private long settledNs = Long.MIN_VALUE;

    /**
     * @param shards of the merge
     */
    Audit(Frames frames, List<Life> lives, RowLog log, int shards) {
        this.frames = frames;
        this.lives = lives;
        this.log = log;
        wakes = new WakeAudit(log, frames.packetsASecond());
        merged = new MergedAudit(lives, log, shards);
    }

    /** Passes on to {@link MergedAudit#loss}. */
    void loss(long mergedNs, long fromNs, long toNs) {
        merged.loss(mergedNs, fromNs, toNs);
    }

    /** Notes that a worker was killed, and its next process has begun. */
    void killed(long mergedNs, Life life, Life next) {
        if (next.isAfter(life)) {
            merged.killed(life.node(), mergedNs, life.endNs(), next.beginNs());
        } else {
            merged.loss(mergedNs, life.endNs(), next.beginNs());
        }
    }

    /** Passes on to {@link MergedAudit#silence}. */
    void silence(long mergedNs, long fromNs, long toNs) {
        merged.silence(mergedNs, fromNs, toNs);
    }

    /** Checks all windows that end by then, and have not been checked. */
    void upTo(long horizonNs) {
        for (String node : lives.stream().map(Life::node).distinct().toList()) {
            each(node, horizonNs);
        }
        wrong.addAll(merged.wrong(expected(horizonNs), horizonNs));
        wrong.addAll(wakes.wrong(settledNs, horizonNs, merged::touchesLoss));
        wakes.count(settledNs, horizonNs);
        log.settle(horizonNs);
        settledNs = horizonNs;
        wrong.addAll(log.takeWrong());
    }

    /** Returns the end of the first window that is not settled. */
    private long firstNs(long beginNs) {
        return Math.max(settledNs, beginNs - Math.floorMod(beginNs, Queries.WINDOW_NS));
    }

    private NavigableMap<Long, Window> expected(Life life, long horizonNs) {
        TreeMap<Long, Window> expected = new TreeMap<>();
        frames.each(
                life.beginNs(),
                firstNs(life.beginNs()),
                horizonNs,
                life.limit(),
                (tsNs, flow, bytes) ->
                        expected.computeIfAbsent(Queries.endNs(tsNs), e -> new Window())
                                .count(flow, bytes));
        return expected;
    }

    private void each(String node, long horizonNs) {
        NavigableMap<Long, Window> rows = log.windows(Queries.EACH, node);
        List<Life> ofNode = lives.stream().filter(life -> life.node().equals(node)).toList();
        TreeMap<Long, Window> unexpected = new TreeMap<>(rows.headMap(horizonNs, true));
        for (int i = 0; i < ofNode.size(); i++) {
            Life life = ofNode.get(i);
            Optional<Life> next = ofNode.stream().skip(i + 1).findFirst();
            long nextBeginNs = next.map(Life::beginNs).orElse(Long.MAX_VALUE);
            for (Map.Entry<Long, Window> window : expected(life, horizonNs).entrySet()) {
                boolean shared = window.getKey() > nextBeginNs; // the next one's rows are in it
                Window found = shared ? null : rows.get(window.getKey());
                each(life, window.getKey(), window.getValue(), found);
                if (found != null) {
                    owed.merge(node, -found.lost(), Long::sum);
                } else if (life.end() == Life.End.KILLED
                        && next.filter(n -> n.isAfter(life)).isPresent()) {
                    owed.merge(node, window.getValue().packets(), Long::sum);
                }
                if (!shared) {
                    busy(life, window.getKey(), window.getValue(), found);
                    unexpected.remove(window.getKey());
                }
            }
        }
        unexpected.keySet().forEach(endNs -> tell(name(node, endNs) + " has rows of no packets"));
        long untold = Optional.ofNullable(owed.remove(node)).orElse(0L);
        if (untold != 0) {
            tell(
                    node
                            + " has lost "
                            + untold
                            + " packets more with processes than its rows tell (each_node)");
        }
    }

    private void each(Life life, long endNs, Window expected, Window found) {
        offered += expected.packets();
        String name = name(life.node(), endNs);
        if (found == null) {
            missing(life, endNs, expected);
            return;
        }
        inRows += found.packets();
        if (found.hasDuplicates()) {
            tell(name + " has rows twice: " + found.difference(expected));
        } else if (missingFrom.containsKey(life)) {
            tell(name + " is there, after one that is missing");
        } else if (!found.isSame(expected)) {
            rowsMissing.merge(life, expected.rowsNotIn(found), Long::sum);
            toldLost += expected.packets() - found.packets();
            if (!found.isWithin(expected) || life.end() == Life.End.KILLED) {
                tell(name + " is not right: " + found.difference(expected));
            }
        }
    }

    private void missing(Life life, long endNs, Window expected) {
        if (life.end() != Life.End.KILLED && life.end() != Life.End.REPLACED) {
            rowsMissing.merge(life, expected.rowsNotIn(new Window()), Long::sum);
            toldLost += expected.packets();
            return;
        }
        withEnded += expected.packets();
        long mostNs = life.end() == Life.End.KILLED ? MOST_OPEN_NS : MOST_UNSENT_NS;
        if (endNs > life.endNs() - mostNs) {
            missingFrom.putIfAbsent(life, endNs);
        } else {
            tell(
                    name(life.node(), endNs)
                            + " is missing, and was over when its process ended at "
                            + Queries.time(life.endNs()));
        }
    }

    /** The worker's row that wakes, beside those that are found. */
    private void busy(Life life, long endNs, Window expected, Window found) {
        if (life.end() == Life.End.KILLED || life.end() == Life.End.REPLACED) {
            return;
        }
        long missing = wakes.hasRow(life.node(), endNs) ? 0 : 1;
        rowsMissing.merge(life, missing, Long::sum);
        boolean isLacking = missing > 0 || found == null || !found.isSame(expected);
        if (isLacking && wakes.isBusy(expected)) {
            triggersAtRisk.merge(life, 1L, Long::sum);
        }
    }

    private static String name(String node, long endNs) {
        return node + " at " + Queries.time(endNs) + " (each_node)";
    }

    /** Returns the expected windows of all workers. */
    private NavigableMap<Long, Window> expected(long horizonNs) {
        TreeMap<Long, Window> expected = new TreeMap<>();
        for (Life life : lives) {
            expected(life, horizonNs)
                    .forEach(
                            (endNs, window) ->
                                    expected.computeIfAbsent(endNs, e -> new Window())
                                            .count(window));
        }
        return expected;
    }

    /** Waits for all rows that wake, and for their wakes; as {@link #awaitAll}. */
    void awaitWakes(long horizonNs, Duration patience) throws InterruptedException {
        log.await(patience, rows -> wakes.haveCome(by -> horizonNs) && areWakesRight(horizonNs));
    }

    private boolean areWakesRight(long horizonNs) {
        return wakes.wrong(settledNs, horizonNs, merged::touchesLoss).isEmpty();
    }

    /** Waits until all windows are right. Otherwise {@link #upTo} reports them. */
    void awaitAll(long horizonNs, Duration patience) throws InterruptedException {
        NavigableMap<Long, Window> all = expected(horizonNs);
        Map<String, Long> lastNs = lastNs(horizonNs);
        long mergedNs = last(all);
        log.await(
                patience,
                rows ->
                        areThere(all, rows.windows(Queries.ALL, ""))
                                && areThere(all, rows.windows(Queries.SORTED, ""))
                                && haveCome(lastNs, mergedNs)
                                && areWakesRight(horizonNs));
    }

    /**
     * Returns the last time of stopped workers, by worker. A row may come after the merged ones of
     * its window.
     */
    private Map<String, Long> lastNs(long horizonNs) {
        Map<String, Long> lastNs = new HashMap<>();
        for (Life life : lives) {
            boolean stopped = life.end() == Life.End.STOPPED;
            long endNs = stopped ? last(expected(life, horizonNs)) : Long.MIN_VALUE;
            lastNs.merge(life.node(), endNs, Math::max);
        }
        return lastNs;
    }

    private static long last(NavigableMap<Long, Window> windows) {
        return windows.isEmpty() ? Long.MIN_VALUE : windows.lastKey();
    }

    private boolean haveCome(Map<String, Long> lastNs, long mergedNs) {
        return lastNs.entrySet().stream()
                        .allMatch(e -> log.newestNs(Queries.EACH, e.getKey()) >= e.getValue())
                && wakes.haveCome(by -> lastNs.getOrDefault(by, mergedNs));
    }

    private static boolean areThere(NavigableMap<Long, Window> expected, Map<Long, Window> found) {
        return expected.entrySet().stream()
                .allMatch(
                        window -> {
                            Window there = found.get(window.getKey());
                            return there != null
                                    && (!there.isComplete() || there.isSame(window.getValue()));
                        });
    }

    private void tell(String what) {
        wrong.add(what);
    }

    /**
     * Checks the report of a worker that has ended. The missing rows, except the last windows of a
     * killed worker, must be as many as it reported. Triggers come on top, and the last may have
     * had no room after its row.
     */
    void told(Life life) {
        long missing = rowsMissing.getOrDefault(life, 0L);
        long triggers = missing == 0 ? 0 : triggersAtRisk.getOrDefault(life, 0L) + 1;
        if (life.rowsLost() < missing || life.rowsLost() > missing + triggers) {
            tell(
                    life.process().name()
                            + (" has told of " + life.rowsLost() + " lost rows and triggers, and ")
                            + (missing + " rows are missing, with " + triggers + " triggers"));
        }
    }

    /** Returns the faults found so far, shortened; empty when all is right. */
    List<String> wrong() {
        return wrong.size() <= MOST_TOLD ? wrong : wrong.subList(0, MOST_TOLD);
    }

    /** Returns the sums, for people. */
    String summary() {
        return offered
                + " packets offered = "
                + inRows
                + " in rows + "
                + withEnded
                + " lost with processes + "
                + toldLost
                + " told as lost rows; of "
                + merged.summary()
                + "; "
                + wakes.summary();
    }
}
