package io.weir.operators.result;

import io.weir.operators.graph.Window;
import io.weir.operators.graph.WindowEnds;
import io.weir.operators.graph.WindowRows;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.memory.NativeAllocator;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * Finds the windows without packets that a query needs: for rows without packets, or to end its
 * sessions. The results' thread only.
 */
final class EmptyWindows {
    /** Null if the query needs none. */
    private final Window window;

    private final CompiledQuery code;
    private final SeenTime seen;
    private final NativeAllocator allocator;

    /** Windows that end by this time were looked at. */
    private long doneNs = Long.MIN_VALUE;

    /** The end of the last window with packets; MIN_VALUE before the first. */
    private long filledNs = Long.MIN_VALUE;

    /**
     * @param come whether windows come from other processes, which send those without packets, too
     */
    EmptyWindows(CompiledQuery code, boolean come, SeenTime seen, NativeAllocator allocator) {
        this.code = code;
        this.seen = seen;
        this.allocator = allocator;
        window =
                code.query()
                        .aggregate()
                        .flatMap(a -> a.window())
                        .filter(w -> w.rows().needsEmptyWindows() && !come)
                        .orElse(null);
    }

    /**
     * Adds the windows that end by a time. All others that end by then were added before.
     *
     * @param passedNs MAX_VALUE at the end of the input
     * @param members that take windows
     */
    void add(long passedNs, WaitingWindows waiting, List<RowMaker> members) {
        if (window == null || passedNs == Long.MIN_VALUE || members.isEmpty()) {
            return;
        }
        LongConsumer add = endNs -> addOne(endNs, waiting, members);
        boolean atEnd = passedNs == Long.MAX_VALUE;
        long toNs = atEnd ? Long.MAX_VALUE : WindowEnds.last(window, passedNs);
        begin();
        if (toNs <= doneNs) {
            return; // before the first packet, with a long LATENESS
        }
        for (long endNs : waiting.endsWithin(doneNs, toNs)) {
            addBefore(endNs, add);
            filledNs = endNs;
        }
        addBefore(atEnd ? afterLast() : WindowEnds.plus(toNs, window.slideNs()), add);
        doneNs = toNs;
    }

    /** Returns whether no more come; at the end of the input. */
    boolean areComplete() {
        return window == null || doneNs == Long.MAX_VALUE;
    }

    private void addOne(long endNs, WaitingWindows waiting, List<RowMaker> members) {
        long startNs = endNs - window.sizeNs();
        WaitingWindow added = waiting.add(startNs, endNs, members);
        if (added != null) {
            added.partials.put(0, code.newPartial(allocator, allocator.limitBytes()));
            added.added = true;
            // Nobody knows how many packets an absent source would have brought.
            added.losses = seen.isAway(startNs, endNs) ? Losses.missing(1) : Losses.NONE;
        }
    }

    /** The windows of a query without keys begin with those of the first packet. */
    private void begin() {
        boolean all = window.rows().form() == WindowRows.Form.ALL;
        long firstNs = seen.firstNs();
        if (all && filledNs == Long.MIN_VALUE && firstNs != Long.MIN_VALUE) {
            filledNs = WindowEnds.after(window, firstNs) - window.slideNs();
            doneNs = Math.max(doneNs, filledNs);
        }
    }

    /** At the end of the input the last windows are those of the newest packet. */
    private long afterLast() {
        if (window.isOfSessions()) {
            return Long.MAX_VALUE;
        }
        long newestNs = seen.newestNs();
        return newestNs == Long.MIN_VALUE
                ? Long.MIN_VALUE
                : WindowEnds.plus(newestNs, window.sizeNs() + 1);
    }

    private void addBefore(long beforeNs, LongConsumer add) {
        if (filledNs == Long.MIN_VALUE) {
            return;
        }
        long mostNs =
                switch (window.rows().form()) {
                    case ALL -> Long.MAX_VALUE;
                    case KEPT -> filledNs + window.rows().windows() * window.slideNs();
                    default -> filledNs + window.slideNs();
                };
        long fromNs = Math.max(filledNs, doneNs) + window.slideNs();
        for (long ns = fromNs; ns < beforeNs && ns <= mostNs; ns += window.slideNs()) {
            add.accept(ns);
        }
    }
}
