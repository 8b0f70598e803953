package io.weir.operators.when;

import io.weir.operators.graph.Correlation;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.Symbol;
import io.weir.operators.graph.Window;
import io.weir.operators.graph.WindowEnds;
import io.weir.operators.kernel.BindingFeed;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The activations of one query that uses values of its upstream, by binding. One state counts for
 * all of them, from the first that begins until the last has ended. The results' lock.
 */
final class BoundActivations {
    private final Correlation correlation;
    private final BindingFeed feed;
    private final long delayNs;

    /** The latest activation of each binding. */
    private final Map<Binding, Long> latest = new HashMap<>();

    /** Activations to which packets can belong that are still to come, by number. */
    private final Map<Long, Open> open = new LinkedHashMap<>();

    /** No activation in {@link #open} ends before. */
    private long firstEndNs = Long.MAX_VALUE;

    /** The ends of the activations within the present interval, with their numbers. */
    private final TreeMap<Long, Integer> ends = new TreeMap<>();

    /** The strings of the latest bindings. Rows of those that have ended can still have them. */
    private final Deque<Symbol> symbols = new ArrayDeque<>();

    private final String query;

    /** When the latest row acted that began one or moved an end. */
    private long actedNs = Long.MIN_VALUE;

    /**
     * @param shown the values of the row that woke it
     */
    private record Open(Binding binding, List<Object> shown, BindingFeed.Change change) {}

    /**
     * @param delayNs from the end of a window until no packet of before it can come
     */
    BoundActivations(Query query, Correlation correlation, long delayNs) {
        this.query = query.name();
        this.correlation = correlation;
        this.delayNs = delayNs;
        long sizeNs =
                query.aggregate().flatMap(a -> a.window()).map(Window::sizeNs).orElse(delayNs);
        feed = new BindingFeed(correlation, WindowEnds.plus(2 * sizeNs, 2 * delayNs));
    }

    /** Returns the bindings that pipelines follow. */
    BindingFeed feed() {
        return feed;
    }

    /** Adds an activation that has begun, with its facts. */
    void begin(WhenState.Change change, long activeFromNs) {
        forget(change.fromNs());
        Waking waking = change.waking().orElseThrow();
        BindingWords words = BindingWords.of(correlation, change.binding(), waking.values());
        keep(words);
        BindingFeed.Change begun =
                new BindingFeed.Change(
                        waking.number(),
                        change.fromNs(),
                        change.untilNs(),
                        activeFromNs,
                        words.key(),
                        words.values(),
                        false);
        latest.put(change.binding(), begun.id());
        actedNs = Math.max(actedNs, change.fromNs());
        put(new Open(change.binding(), waking.values(), begun));
    }

    private void put(Open one) {
        BindingFeed.Change change = one.change();
        open.put(change.id(), one);
        firstEndNs = Math.min(firstEndNs, change.untilNs());
        ends.merge(change.untilNs(), 1, Integer::sum);
        feed.put(change);
    }

    private void keep(BindingWords words) {
        symbols.addAll(words.symbols());
        while (symbols.size() > 4L * correlation.most()) {
            symbols.removeFirst();
        }
    }

    /** Moves the end of a binding's activation. */
    void ends(WhenState.Change change) {
        Open old = open.get(latest.getOrDefault(change.binding(), 0L));
        if (old == null || old.change().fromNs() != change.fromNs()) {
            return;
        }
        long oldEndNs = old.change().untilNs();
        ends.computeIfPresent(oldEndNs, (end, count) -> count == 1 ? null : count - 1);
        put(new Open(old.binding(), old.shown(), old.change().until(change.untilNs())));
    }

    /**
     * Returns the activations that count at a time, the earliest first.
     *
     * @param timeNs {@link Long#MAX_VALUE}: at the latest row
     */
    List<ActiveBinding> at(long timeNs) {
        long nowNs = timeNs == Long.MAX_VALUE ? actedNs : timeNs;
        List<ActiveBinding> active = new ArrayList<>();
        for (Open one : open.values()) {
            BindingFeed.Change change = one.change();
            boolean counts = change.untilNs() > change.fromNs();
            if (counts && change.untilNs() > nowNs) {
                active.add(
                        new ActiveBinding(
                                query,
                                one.binding().values(),
                                one.shown(),
                                change.activeFromNs(),
                                change.untilNs(),
                                feed.rows(change.id())));
            }
        }
        return active;
    }

    /** Returns the end of the last activation, as far as it is known. */
    long untilNs() {
        return ends.isEmpty() ? Long.MAX_VALUE : ends.lastKey();
    }

    /** Notes that a new interval begins. All earlier activations have ended. */
    void restart() {
        ends.clear();
    }

    /**
     * Removes activations to which no packet can belong when a row acts at that time: all packets
     * have come that are older by the delay.
     */
    private void forget(long timeNs) {
        ends.headMap(timeNs).clear();
        if (WindowEnds.plus(firstEndNs, delayNs) >= timeNs) {
            return;
        }
        firstEndNs = Long.MAX_VALUE;
        for (Iterator<Open> each = open.values().iterator(); each.hasNext(); ) {
            Open one = each.next();
            long id = one.change().id();
            if (WindowEnds.plus(one.change().untilNs(), delayNs) < timeNs) {
                feed.remove(id);
                latest.remove(one.binding(), id);
                each.remove();
            } else {
                firstEndNs = Math.min(firstEndNs, one.change().untilNs());
            }
        }
        feed.forget(timeNs);
    }
}
