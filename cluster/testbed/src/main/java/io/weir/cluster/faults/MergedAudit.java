package io.weir.cluster.faults;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/**
 * Checks merged windows. A window that calls itself complete must be complete. All windows must do
 * so, except at times when a worker was lost, or lost packets. Any other window must report lost or
 * missing packets. Packets in rows plus those reported as lost must equal all packets exactly. The
 * exception is a worker whose successor does not know what it had read. One thread.
 */
final class MergedAudit {
    private static final List<String> NAMES = List.of(Queries.ALL, Queries.SORTED);

    private final List<Life> lives;
    private final RowLog log;
    private final int shards;
    private final List<Loss> losses = new ArrayList<>();
    private List<String> wrong = new ArrayList<>();
    private long windows;
    private long incomplete;
    private long offered;
    private long inRows;
    private long lost;
    private long missing;

    /**
     * The span in which a worker was lost, or lost packets.
     *
     * @param node empty: it has lost a part of its packets at most
     * @param isTold whether it reports the number in the end
     */
    private record Loss(String node, long fromNs, long toNs, boolean isTold) {
        boolean touches(long endNs) {
            return endNs > fromNs && endNs <= Queries.endNs(toNs) + Queries.WINDOW_NS;
        }
    }

    MergedAudit(List<Life> lives, RowLog log, int shards) {
        this.lives = lives;
        this.log = log;
        this.shards = shards;
    }

    /**
     * Notes a span in which a worker lost counted packets, and nobody may know how many. Merged
     * windows of it may count less, if they say so. All others must be whole, whatever happened to
     * Kafka.
     *
     * @param mergedNs up to which end windows were merged when it happened
     */
    void loss(long mergedNs, long fromNs, long toNs) {
        losses.add(new Loss("", sinceNs(mergedNs, fromNs), toNs, false));
    }

    /**
     * Notes a span in which a worker was only not heard, or in which its next process knows what it
     * had read. Its lacking packets are reported in the end.
     */
    void silence(long mergedNs, long fromNs, long toNs) {
        killed("", mergedNs, fromNs, toNs);
    }

    /**
     * Notes the same for a node whose process was killed, and may have lost all packets of a
     * window.
     */
    void killed(String node, long mergedNs, long fromNs, long toNs) {
        losses.add(new Loss(node, sinceNs(mergedNs, fromNs), toNs, true));
    }

    private static long sinceNs(long mergedNs, long fromNs) {
        return Math.min(mergedNs, fromNs - Audit.MOST_OPEN_NS);
    }

    /**
     * Returns whether nobody may have anything of a window. It then has no row, and later windows
     * report it.
     */
    private boolean mayBeAllLost(long endNs) {
        Set<String> killed = new HashSet<>();
        losses.stream().filter(loss -> loss.touches(endNs)).forEach(l -> killed.add(l.node()));
        return lives.stream().map(Life::node).allMatch(killed::contains);
    }

    boolean touchesLoss(long endNs) {
        return losses.stream().anyMatch(time -> time.touches(endNs));
    }

    private boolean touchesUntold(long endNs) {
        return losses.stream().anyMatch(time -> !time.isTold() && time.touches(endNs));
    }

    /**
     * Returns the faults of windows that end by then, and were not checked.
     *
     * @param expected these windows, of all workers
     */
    List<String> wrong(NavigableMap<Long, Window> expected, long horizonNs) {
        wrong = new ArrayList<>();
        boolean alike = areShardsAlike(expected);
        for (String query : NAMES) {
            TreeMap<Long, Window> rows = new TreeMap<>(log.windows(query, ""));
            rows.tailMap(horizonNs, false).clear();
            sums(query, expected, rows, alike);
            expected.forEach((endNs, window) -> look(query, endNs, window, rows.remove(endNs)));
            rows.keySet().forEach(endNs -> tell(at(query, endNs) + " has rows of no packets"));
        }
        return wrong;
    }

    /**
     * Returns whether in each window all shards have given up the same workers. Then each loss is
     * reported by one window, and exactly. Shards that give a worker up at different moments may
     * report it twice.
     */
    private boolean areShardsAlike(NavigableMap<Long, Window> expected) {
        Map<Long, Window> rows = log.windows(Queries.ALL, "");
        return expected.keySet().stream()
                .filter(this::touchesLoss)
                .map(rows::get)
                .allMatch(window -> window != null && window.areMakersAlike(shards));
    }

    /** Checks the sums of all checked windows. Any of them may report a loss. */
    private void sums(
            String query,
            NavigableMap<Long, Window> expected,
            Map<Long, Window> rows,
            boolean alike) {
        if (expected.keySet().stream().anyMatch(this::touchesUntold)) {
            return;
        }
        long packets = expected.values().stream().mapToLong(Window::packets).sum();
        long found = rows.values().stream().mapToLong(Window::packets).sum();
        long told = rows.values().stream().mapToLong(Window::lost).sum();
        long over = found + told - packets;
        if (over < 0 || alike && over > 0) {
            tell(
                    query
                            + (" has " + found + " packets in rows and tells of " + told)
                            + (" lost ones, and there were " + packets));
        }
    }

    private void look(String query, long endNs, Window expected, Window found) {
        String name = at(query, endNs);
        windows++;
        offered += expected.packets();
        if (found == null) {
            incomplete++;
            if (!mayBeAllLost(endNs)) {
                tell(name + " is missing");
            }
            return;
        }
        inRows += found.packets();
        lost += found.lost();
        missing += found.missing();
        if (found.hasDuplicates()) {
            tell(name + " has rows twice: " + found.difference(expected));
        } else if (!found.isAtMost(expected)) {
            tell(name + " counts too much: " + found.difference(expected));
        } else if (found.isComplete()) {
            complete(query, endNs, expected, found);
        } else {
            incomplete(name, endNs, found);
        }
    }

    private void complete(String query, long endNs, Window expected, Window found) {
        String name = at(query, endNs) + " calls itself complete";
        if (!found.isSame(expected) && isShardSilent(query, endNs, found, expected)) {
            incomplete++;
        } else if (!found.isSame(expected)) {
            tell(name + ": " + different(expected, found));
        } else if (found.missing() > 0) {
            tell(name + ", and " + found.missing() + " packets missing");
        }
    }

    private void incomplete(String name, long endNs, Window found) {
        incomplete++;
        if (found.lost() + found.missing() == 0) {
            tell(name + " is incomplete, and says of no packets");
        }
        if (!touchesLoss(endNs)) {
            tell(name + " is incomplete, and nothing was lost: " + found.lost() + " packets");
        }
    }

    /**
     * Rows may be made in the shards. A shard that lacks a worker and has no groups of another has
     * no row to report it in. Shards give a worker up at different moments.
     */
    private boolean isShardSilent(String query, long endNs, Window found, Window expected) {
        return query.equals(Queries.ALL)
                && found.makers().size() < shards
                && found.isWithin(expected)
                && touchesLoss(endNs);
    }

    /**
     * Describes a difference with the facts that a person needs first: the makers of rows, and the
     * workers that had begun.
     */
    private String different(Window expected, Window found) {
        StringBuilder begun = new StringBuilder();
        for (Life life : lives) {
            begun.append(", ")
                    .append(life.node())
                    .append(" from ")
                    .append(Queries.time(life.beginNs()));
        }
        return found.difference(expected) + "; rows by " + found.makers() + begun;
    }

    private static String at(String query, long endNs) {
        return query + " at " + Queries.time(endNs);
    }

    private void tell(String what) {
        wrong.add(what);
    }

    /** Returns a text for people. */
    String summary() {
        return windows
                + " merged windows "
                + incomplete
                + " are incomplete, "
                + inRows
                + " of "
                + offered
                + " packets in rows and "
                + lost
                + " told as lost, "
                + missing
                + " estimated as missing";
    }
}
