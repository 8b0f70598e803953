package io.weir.operators.kernel;

import io.weir.operators.function.BindingFunctions;
import io.weir.operators.graph.Correlation;
import io.weir.operators.map.BindingTable;
import io.weir.operators.memory.NativeAllocator;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The bindings of one query, which pipelines follow. The thread that tests rows changes them. Each
 * state has a {@link Follower} with a table of its own, which takes new changes before a segment.
 * So kernels read a table that nobody writes.
 *
 * <p>It also knows the interval of each activation while windows of it can be open.
 */
public final class BindingFeed {
    private final int keyWords;
    private final int valueWords;
    private final long keptNs;
    private final Map<Long, Change> active = new LinkedHashMap<>();

    /** Activations by number, the earliest first. */
    private final Map<Long, Change> known = new LinkedHashMap<>();

    /** The rows that were made, by activation. */
    private final Map<Long, Long> rows = new HashMap<>();

    private Node last = new Node(null);

    /**
     * An activation as it is now.
     *
     * @param id its number, from 1 up
     * @param activeFromNs from when it counts in fact; its rows show it
     * @param removed whether no packet can belong to it any more
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Change(
            long id,
            long fromNs,
            long untilNs,
            long activeFromNs,
            long[] key,
            long[] values,
            boolean removed) {

        /** Returns the same activation with another end. */
        public Change until(long newUntilNs) {
            return new Change(id, fromNs, newUntilNs, activeFromNs, key, values, removed);
        }

        private Change gone() {
            return new Change(id, fromNs, untilNs, activeFromNs, key, values, true);
        }
    }

    private static final class Node {
        private final Change change;

        /** Written once. A reader that sees it sees the change. */
        private volatile Node next;

        Node(Change change) {
            this.change = change;
        }
    }

    /**
     * @param keptNs how long after its end an activation can have open windows
     */
    public BindingFeed(Correlation correlation, long keptNs) {
        keyWords = keyWords(correlation);
        valueWords = valueWords(correlation);
        this.keptNs = keptNs;
    }

    /** Returns the words of a key. */
    public static int keyWords(Correlation correlation) {
        return correlation.equations().stream()
                .mapToInt(e -> BindingFunctions.words(e.column().type().kind()))
                .sum();
    }

    /** Returns the words of the values: of each one word for NULL, and its own. */
    public static int valueWords(Correlation correlation) {
        return correlation.values().stream()
                .mapToInt(v -> 1 + BindingFunctions.words(v.type().kind()))
                .sum();
    }

    /** Adds an activation, or moves the end of one. */
    public synchronized void put(Change change) {
        known.put(change.id(), change);
        active.put(change.id(), change);
        append(change);
    }

    /** Removes an activation. Its rows can still be made. */
    public synchronized void remove(long id) {
        Change change = active.remove(id);
        if (change != null) {
            append(change.gone());
        }
    }

    /** Forgets activations whose windows have passed. */
    public synchronized void forget(long timeNs) {
        known.values()
                .removeIf(
                        one ->
                                !active.containsKey(one.id())
                                        && one.untilNs() < Long.MAX_VALUE - keptNs
                                        && one.untilNs() + keptNs < timeNs);
        rows.keySet().retainAll(known.keySet());
    }

    /** Returns the times of those of these activations that are known. */
    public synchronized List<BindingSpan> spans(Collection<Long> ids) {
        List<BindingSpan> spans = new ArrayList<>();
        for (long id : ids) {
            Change one = known.get(id);
            if (one != null) {
                spans.add(span(one));
            }
        }
        return spans;
    }

    private static BindingSpan span(Change one) {
        return new BindingSpan(one.id(), one.fromNs(), one.untilNs(), one.activeFromNs());
    }

    /** Takes the times of an activation that others count. */
    public synchronized void told(BindingSpan told) {
        Change one = known.get(told.number());
        BindingSpan all = one == null ? told : span(one).with(told);
        long[] none = new long[0];
        known.put(
                all.number(),
                new Change(
                        all.number(),
                        all.fromNs(),
                        all.untilNs(),
                        all.activeFromNs(),
                        none,
                        none,
                        false));
    }

    /** Counts rows of an activation. */
    synchronized void made(long id, long count) {
        if (known.containsKey(id)) {
            rows.merge(id, count, Long::sum);
        }
    }

    /** Returns how many rows an activation has made. */
    public synchronized long rows(long id) {
        return rows.getOrDefault(id, 0L);
    }

    private void append(Change change) {
        Node node = new Node(change);
        last.next = node;
        last = node;
    }

    /** Returns an activation by its number; null if it is forgotten. */
    public synchronized Change of(long id) {
        return known.get(id);
    }

    /** Returns a table of the present bindings, which then follows the changes. */
    synchronized Follower follow(NativeAllocator allocator) {
        BindingTable table = new BindingTable(allocator, keyWords, valueWords);
        active.values().forEach(change -> apply(table, change));
        return new Follower(table, last);
    }

    private static void apply(BindingTable table, Change change) {
        if (change.removed()) {
            table.remove(change.id(), change.key());
        } else {
            table.put(
                    change.id(), change.fromNs(), change.untilNs(), change.key(), change.values());
        }
    }

    /** The table of one state. The pipeline's thread. */
    static final class Follower implements AutoCloseable {
        private final BindingTable table;
        private Node seen;

        private Follower(BindingTable table, Node seen) {
            this.table = table;
            this.seen = seen;
        }

        BindingTable table() {
            return table;
        }

        /** Takes the changes since the last call. */
        void follow() {
            for (Node next = seen.next; next != null; next = next.next) {
                apply(table, next.change);
                seen = next;
            }
        }

        @Override
        public void close() {
            table.close();
        }
    }
}
