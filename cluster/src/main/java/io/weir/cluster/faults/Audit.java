package io.weir.cluster.faults;

import io.weir.cluster.kafka.Topics;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Whether the rows are right: each once, each as counted from the packets, and what is not in rows
 * told as lost. What it finds wrong is listed. One thread.
 *
 * <p>Of {@link Queries#EACH}, a worker's windows are whole or not there at all; those that are not
 * there are the last ones of a process that was killed or replaced, or the worker has told of as
 * many lost rows. Of merged queries, a window that calls itself complete is; all do but those of
 * the time in which a worker was lost, or lost something. Nothing is missing from one that calls
 * itself complete, and something is lost or missing from any other.
 *
 * <p>Each row that meets a condition has its trigger, whatever was killed in between; and each
 * trigger has its row, but of the time in which rows were lost.
 */
final class Audit {
    private static final int MOST_TOLD = 12;

    /** Windows that have ended so long before are on their way still. */
    private static final long MOST_OPEN_NS = 3 * Queries.WINDOW_NS;

    private final Frames frames;
    private final List<Life> lives;
    private final RowLog log;
    private final WakeAudit wakes;
    private final List<String> wrong = new ArrayList<>();
    private final Map<Life, Long> missingFrom = new HashMap<>();
    private final Map<Life, Long> rowsMissing = new HashMap<>();

    /** Triggers of windows of which rows are missing: they may have had no room either. */
    private final Map<Life, Long> triggersAtRisk = new HashMap<>();

    private long offered;
    private long inRows;
    private long withEnded;
    private long toldLost;
    private long incomplete;
    private long merged;
    private long mergedOffered;
    private long mergedInRows;
    private long mergedLost;
    private long mergedMissing;
    private long settledNs = Long.MIN_VALUE;
    private final List<Loss> losses = new ArrayList<>();

    /** From when to when a worker was lost, or lost something. */
    private record Loss(long fromNs, long toNs) {
        boolean touches(long endNs) {
            return endNs > fromNs && endNs <= endNs(toNs) + Queries.WINDOW_NS;
        }
    }

    Audit(Frames frames, List<Life> lives, RowLog log) {
        this.frames = frames;
        this.lives = lives;
        this.log = log;
        wakes = new WakeAudit(log, frames.packetsASecond());
    }

    /**
     * In this time a worker could not be heard, or lost what it had counted: merged windows of it
     * may count less, if they say so. All others must be whole, whatever has happened to Kafka.
     *
     * @param mergedNs up to which end windows were merged when it happened
     */
    void loss(long mergedNs, long fromNs, long toNs) {
        losses.add(new Loss(Math.min(mergedNs, fromNs - MOST_OPEN_NS), toNs));
    }

    /** Looks at all windows that end by then, and have not been looked at. */
    void upTo(long horizonNs) {
        for (String node : lives.stream().map(Life::node).distinct().toList()) {
            each(node, horizonNs);
        }
        merged(Queries.ALL, horizonNs);
        merged(Queries.SORTED, horizonNs);
        wrong.addAll(wakes.wrong(settledNs, horizonNs, this::touchesLoss));
        wakes.count(settledNs, horizonNs);
        log.settle(horizonNs);
        settledNs = horizonNs;
        wrong.addAll(log.takeWrong());
    }

    /** The end of the first window that is not settled. */
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
                        expected.computeIfAbsent(endNs(tsNs), e -> new Window())
                                .count(flow, bytes));
        return expected;
    }

    static long endNs(long tsNs) {
        return tsNs - Math.floorMod(tsNs, Queries.WINDOW_NS) + Queries.WINDOW_NS;
    }

    private void each(String node, long horizonNs) {
        NavigableMap<Long, Window> rows = log.windows(Queries.EACH, node);
        List<Life> ofNode = lives.stream().filter(life -> life.node().equals(node)).toList();
        TreeMap<Long, Window> unexpected = new TreeMap<>(rows.headMap(horizonNs, true));
        for (int i = 0; i < ofNode.size(); i++) {
            Life life = ofNode.get(i);
            long nextBeginNs = i + 1 < ofNode.size() ? ofNode.get(i + 1).beginNs() : Long.MAX_VALUE;
            for (Map.Entry<Long, Window> window : expected(life, horizonNs).entrySet()) {
                boolean shared = window.getKey() > nextBeginNs; // the next one's rows are in it
                Window found = shared ? null : rows.get(window.getKey());
                each(life, window.getKey(), window.getValue(), found);
                if (!shared) {
                    busy(life, window.getKey(), window.getValue(), found);
                    unexpected.remove(window.getKey());
                }
            }
        }
        unexpected.keySet().forEach(endNs -> tell(name(node, endNs) + " has rows of no packets"));
    }

    private void each(Life life, long endNs, Window expected, Window found) {
        offered += expected.packets();
        String name = name(life.node(), endNs);
        if (found == null) {
            if (life.end() == Life.End.KILLED || life.end() == Life.End.REPLACED) {
                missingFrom.putIfAbsent(life, endNs);
                withEnded += expected.packets();
            } else {
                rowsMissing.merge(life, expected.rowsNotIn(new Window()), Long::sum);
                toldLost += expected.packets();
            }
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

    /** The row of the worker that wakes, beside those that are found. */
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
        return node + " at " + time(endNs) + " (each_node)";
    }

    private static String time(long ns) {
        return Instant.ofEpochSecond(0, ns).toString().substring(11);
    }

    private void merged(String query, long horizonNs) {
        TreeMap<Long, Window> rows = new TreeMap<>(log.windows(query, "").headMap(horizonNs, true));
        NavigableMap<Long, Window> expected = expected(horizonNs);
        expected.forEach((endNs, window) -> merged(query, endNs, window, rows.remove(endNs)));
        rows.keySet().forEach(endNs -> tell(name(query, endNs) + " has rows of no packets"));
    }

    /** Of all workers. */
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

    private void merged(String query, long endNs, Window expected, Window found) {
        String name = query + " at " + time(endNs);
        merged++;
        mergedOffered += expected.packets();
        if (found != null) {
            mergedInRows += found.packets();
            mergedLost += found.lost();
            mergedMissing += found.missing();
        }
        if (found == null) {
            incomplete++;
            tell(name + " is missing");
        } else if (found.hasDuplicates()) {
            tell(name + " has rows twice: " + found.difference(expected));
        } else if (!found.isAtMost(expected)) {
            tell(name + " counts too much: " + found.difference(expected));
        } else if (found.isComplete() && !found.isSame(expected)) {
            if (isShardSilent(query, endNs, found, expected)) {
                incomplete++;
            } else {
                tell(name + " calls itself complete: " + different(expected, found));
            }
        } else if (found.isComplete() && found.missing() > 0) {
            tell(name + " calls itself complete, and " + found.missing() + " packets missing");
        } else if (!found.isComplete()) {
            incomplete++;
            if (found.lost() + found.missing() == 0) {
                tell(name + " is incomplete, and says of no packets");
            }
            if (!touchesLoss(endNs)) {
                tell(name + " is incomplete, and nothing was lost: " + found.lost() + " packets");
            }
        }
    }

    /**
     * Where rows are made in the shards, one that lacks a worker and has no groups of another has
     * no row to say so in; shards give a worker up at different moments.
     */
    private boolean isShardSilent(String query, long endNs, Window found, Window expected) {
        return query.equals(Queries.ALL)
                && found.makers().size() < Topics.SHARDS
                && found.isWithin(expected)
                && touchesLoss(endNs);
    }

    /** With what the next reader of it asks first: whose rows are there, and who had begun. */
    private String different(Window expected, Window found) {
        StringBuilder begun = new StringBuilder();
        for (Life life : lives) {
            begun.append(", ").append(life.node()).append(" from ").append(time(life.beginNs()));
        }
        return found.difference(expected) + "; rows by " + found.makers() + begun;
    }

    private boolean touchesLoss(long endNs) {
        return losses.stream().anyMatch(time -> time.touches(endNs));
    }

    /** Waits for all rows that wake, and for what they wake; as {@link #awaitAll}. */
    void awaitWakes(long horizonNs, Duration patience) throws InterruptedException {
        log.await(patience, rows -> wakes.haveCome(by -> horizonNs) && areWakesRight(horizonNs));
    }

    private boolean areWakesRight(long horizonNs) {
        return wakes.wrong(settledNs, horizonNs, this::touchesLoss).isEmpty();
    }

    /** Waits until all windows are as they should be; else it is for {@link #upTo} to say. */
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
     * By worker, of those that were stopped: a row may come after the merged ones of its window.
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
     * After a worker's end: rows that are missing, but for the last windows of one that was killed,
     * are as many as it has told; beside them triggers, of which the last may have had no room
     * after its row had.
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

    /** What was found so far, shortened; empty when all is right. */
    List<String> wrong() {
        return wrong.size() <= MOST_TOLD ? wrong : wrong.subList(0, MOST_TOLD);
    }

    /** Sums, for people. */
    String summary() {
        return offered
                + " packets offered = "
                + inRows
                + " in rows + "
                + withEnded
                + " lost with processes + "
                + toldLost
                + " told as lost rows; of "
                + merged
                + " merged windows "
                + incomplete
                + " are incomplete, "
                + mergedInRows
                + " of "
                + mergedOffered
                + " packets in rows and "
                + mergedLost
                + " told as lost, "
                + mergedMissing
                + " estimated as missing; "
                + wakes.summary();
    }
}
