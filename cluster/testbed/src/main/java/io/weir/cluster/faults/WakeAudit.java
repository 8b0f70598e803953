package io.weir.cluster.faults;

import io.weir.cluster.faults.Queries.Woken;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.function.LongPredicate;
import java.util.function.ToLongFunction;

/**
 * Checks that each row that met a condition has woken its query, and nothing else has. One thread.
 */
final class WakeAudit {
    private final RowLog log;
    private final long mostOfNode;
    private long rows;
    private long wakes;

    /**
     * @param mostOfNode packets a second of a node that is not yet busy
     */
    WakeAudit(RowLog log, long mostOfNode) {
        this.log = log;
        this.mostOfNode = mostOfNode;
    }

    /**
     * Returns whether all possible rows have come.
     *
     * @param lastNs end of the last window with a row
     */
    boolean haveCome(ToLongFunction<String> lastNs) {
        return Queries.WOKEN.stream()
                .allMatch(
                        woken ->
                                log.newestNs(woken.by(), woken.madeBy())
                                        >= lastNs.applyAsLong(woken.madeBy()));
    }

    /**
     * Returns the faults of windows that end in (from, to].
     *
     * @param lost whether rows of a window may have been lost, or made again otherwise; the queries
     *     that they have woken are awake
     */
    List<String> wrong(long fromNs, long toNs, LongPredicate lost) {
        List<String> wrong = new ArrayList<>();
        for (Woken woken : Queries.WOKEN) {
            log.windows(woken.by(), "").subMap(fromNs, false, toNs, true).entrySet().stream()
                    .filter(window -> window.getValue().hasDuplicates())
                    .forEach(window -> wrong.add(at(woken.by(), window.getKey()) + " comes twice"));
            NavigableSet<Long> firing = firing(woken).subSet(fromNs, false, toNs, true);
            NavigableSet<Long> fired = fired(woken).subSet(fromNs, false, toNs, true);
            for (long endNs : firing) {
                if (!fired.contains(endNs)) {
                    wrong.add(
                            at(woken.by(), endNs) + " is busy, and has not woken " + woken.name());
                }
            }
            for (long endNs : fired) {
                if (!firing.contains(endNs) && !lost.test(endNs)) {
                    wrong.add(
                            at(woken.by(), endNs) + " is not busy, and has woken " + woken.name());
                }
            }
        }
        return wrong;
    }

    /** Returns whether a window of a worker has the row that may wake. */
    boolean hasRow(String node, long endNs) {
        return Queries.WOKEN.stream()
                .filter(woken -> woken.madeBy().equals(node))
                .allMatch(woken -> log.windows(woken.by(), "").containsKey(endNs));
    }

    /** Returns whether so many packets of a worker wake. */
    boolean isBusy(Window window) {
        return window.packets() > mostOfNode;
    }

    /** Counts, for {@link #summary}, windows that end in (from, to]. */
    void count(long fromNs, long toNs) {
        for (Woken woken : Queries.WOKEN) {
            rows += log.windows(woken.by(), "").subMap(fromNs, false, toNs, true).size();
            wakes += fired(woken).subSet(fromNs, false, toNs, true).size();
        }
    }

    private NavigableSet<Long> firing(Woken woken) {
        NavigableSet<Long> ends = new TreeSet<>();
        for (var window : log.windows(woken.by(), "").entrySet()) {
            if (window.getValue().packets() > mostOfNode * woken.nodes()) {
                ends.add(window.getKey());
            }
        }
        return ends;
    }

    private NavigableSet<Long> fired(Woken woken) {
        NavigableSet<Long> ends = new TreeSet<>();
        log.wakes(woken.name()).forEach(fromNs -> ends.add(fromNs - woken.delayNs()));
        return ends;
    }

    private static String at(String query, long endNs) {
        return query + " at " + Instant.ofEpochSecond(0, endNs).toString().substring(11);
    }

    /** Returns a text for people. */
    String summary() {
        return wakes + " wakes by " + rows + " rows";
    }
}
