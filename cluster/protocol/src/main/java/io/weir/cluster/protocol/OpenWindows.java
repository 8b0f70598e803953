package io.weir.cluster.protocol;

import io.weir.operators.graph.Window;
import io.weir.operators.graph.WindowEnds;
import io.weir.operators.kernel.Partial;
import io.weir.operators.result.QueryShape;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * The windows of an activation that are not final, by their ends, with what each source has sent of
 * them. Running totals have ticks in place of windows. A tick that comes late is in time for the
 * totals: it joins the next one. The merge's thread.
 */
final class OpenWindows implements AutoCloseable {
    private static final Window TICK = Window.tumble(QueryShape.TICK_NS);

    /**
     * The part of a window that a source has sent, in the order of the merge. A worker that was
     * restarted in the middle of a window has a part of it in each process. A source can have
     * several parts of totals.
     *
     * @param sequence of its first message
     * @param sentEndNs the window's end in the source's report
     */
    record Part(WorkerEpoch source, long sequence, long sentEndNs) implements Comparable<Part> {
        @Override
        public int compareTo(Part other) {
            int bySource = source.compareTo(other.source);
            return bySource != 0 ? bySource : Long.compare(sequence, other.sequence);
        }
    }

    private final boolean totals;
    private final Supplier<Partial> partials;
    private final NavigableMap<Long, NavigableMap<Part, Contribution>> windows = new TreeMap<>();

    /**
     * @param totals whether they are ticks of running totals that go on
     * @param partials makes empty ones
     */
    OpenWindows(boolean totals, Supplier<Partial> partials) {
        this.totals = totals;
        this.partials = partials;
    }

    /**
     * Returns the contribution that a message belongs to; null if rows of its window were made.
     *
     * @param made the windows that have rows
     */
    Contribution of(MergeMessage message, long endNs, MergeJournal.Final made) {
        if (!totals && made.holds(endNs)) {
            return null;
        }
        NavigableMap<Part, Contribution> window =
                windows.computeIfAbsent(dueNs(endNs, made), e -> new TreeMap<>());
        for (Map.Entry<Part, Contribution> known : of(message.source(), window).entrySet()) {
            boolean same = known.getKey().sentEndNs() == endNs;
            if (!totals || same && belongs(message, known.getValue())) {
                return known.getValue();
            }
        }
        Contribution begun = new Contribution(partials.get());
        window.put(new Part(message.source(), message.sequence(), endNs), begun);
        return begun;
    }

    private static NavigableMap<Part, Contribution> of(
            WorkerEpoch source, NavigableMap<Part, Contribution> window) {
        return window.subMap(
                new Part(source, 0, 0), true, new Part(source, Long.MAX_VALUE, 0), true);
    }

    /** Returns whether the contribution is not whole yet, or the message repeats its end. */
    private static boolean belongs(MergeMessage message, Contribution known) {
        return known.end() == null || known.end().sequence() == message.sequence();
    }

    private long dueNs(long endNs, MergeJournal.Final made) {
        return totals && endNs <= made.endNs() ? WindowEnds.after(TICK, made.endNs()) : endNs;
    }

    /** Returns the parts that a worker has sent of a window; none if the window is not here. */
    List<Contribution> of(String worker, long endNs) {
        List<Contribution> all = new ArrayList<>();
        windows.getOrDefault(endNs, new TreeMap<>())
                .forEach(
                        (part, contribution) -> {
                            if (part.source().worker().equals(worker)) {
                                all.add(contribution);
                            }
                        });
        return all;
    }

    boolean isEmpty() {
        return windows.isEmpty();
    }

    /** Returns the earliest end. */
    long firstEndNs() {
        return windows.firstKey();
    }

    /** Takes the earliest window out. */
    Map.Entry<Long, NavigableMap<Part, Contribution>> takeFirst() {
        return windows.pollFirstEntry();
    }

    /**
     * A source that had come to its end goes on. Its last totals are older than the ticks that it
     * has sent since. They go with the first of these.
     */
    void settle() {
        NavigableMap<Part, Contribution> last = windows.get(Long.MAX_VALUE);
        if (totals && last != null && windows.size() > 1) {
            for (Part part : List.copyOf(last.keySet())) {
                long endNs = nextEndNs(part);
                if (endNs != Long.MAX_VALUE) {
                    windows.get(endNs).put(part, last.remove(part));
                }
            }
            windows.values().removeIf(Map::isEmpty);
        }
    }

    private long nextEndNs(Part part) {
        for (Map.Entry<Long, NavigableMap<Part, Contribution>> window : windows.entrySet()) {
            if (of(part.source(), window.getValue()).keySet().stream()
                    .anyMatch(other -> other.sequence() > part.sequence())) {
                return window.getKey();
            }
        }
        return Long.MAX_VALUE;
    }

    /**
     * Frees the windows that a source had begun to send when its process ended. Returns their
     * number.
     */
    int cut(WorkerEpoch source) {
        int cut = 0;
        for (NavigableMap<Part, Contribution> window : windows.values()) {
            for (Part part : List.copyOf(of(source, window).keySet())) {
                if (window.get(part).window() == null) {
                    window.remove(part).close();
                    cut++;
                }
            }
        }
        windows.values().removeIf(Map::isEmpty);
        return cut;
    }

    /** Returns the parts that are whole. */
    List<Contribution> whole() {
        return windows.values().stream()
                .flatMap(window -> window.values().stream())
                .filter(contribution -> contribution.window() != null)
                .toList();
    }

    /** Frees the remaining windows. */
    @Override
    public void close() {
        windows.values().forEach(window -> window.values().forEach(Contribution::close));
        windows.clear();
    }
}
