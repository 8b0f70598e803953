package io.weir.operators.result;

import io.weir.operators.error.WeirException;
import io.weir.operators.graph.PartitionKey;
import io.weir.operators.kernel.CarriedGroups;
import io.weir.operators.kernel.CarriedGroupsFactory;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.kernel.Partial;
import io.weir.operators.kernel.RowContext;
import io.weir.operators.kernel.Shortlist;
import io.weir.operators.kernel.StateOptions;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.rows.RowBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Gathers the windows of one state from its pipelines. It merges the partials once if the keys need
 * it. It keeps a window until each activation (each query that shares the state) has made its rows.
 * It does not know when a window is complete; {@link ResultStage} does. Partials are native memory,
 * so the allocator's limit bounds the waiting windows. The results' thread only.
 */
public final class WindowMerger implements AutoCloseable {
    private final CompiledQuery code;
    private final PartialsMerge parts;

    /**
     * True if windows go on after one without memory, whose packets are reported as lost. Otherwise
     * the query ends.
     */
    private final boolean goesOn;

    private final MergedTotals totals;
    private final long delayNs;
    private final List<RowMaker> members = new ArrayList<>();
    private final WaitingWindows windows = new WaitingWindows();
    private final SeenTime seen;
    private final EmptyWindows empty;
    private final Optional<CarriedGroups> carried;
    private Runnable onEnd = () -> {};

    /** The receiver that knows all groups of the totals, and needs only changed ones. */
    private PartialExporter toldAll;

    private int unfinished;
    private long processedInNoWindow;
    private boolean closed;

    /**
     * Makes a merger for a state on the pipelines of one engine. A window without memory is an
     * error.
     *
     * @param code the state's code: its groups have all folds that members need
     * @param pipelines how many the state runs on
     * @param options with ticks, if totals come in ticks
     */
    public WindowMerger(
            CompiledQuery code, int pipelines, StateOptions options, NativeAllocator allocator) {
        this(
                code,
                pipelines,
                pipelines > 1 && code.query().isSplitBy(PartitionKey.ADDRESSES),
                false,
                options,
                allocator);
    }

    /**
     * Makes a merger for one activation, whose windows come from other processes. A window without
     * memory is an error. Its packets are reported as lost: at once if it is sent on, otherwise by
     * the next window with rows.
     *
     * @param merges whether two sources can have parts of a group
     */
    public static WindowMerger merged(
            CompiledQuery code, boolean merges, StateOptions options, NativeAllocator allocator) {
        return new WindowMerger(code, 1, merges, true, options, allocator);
    }

    private WindowMerger(
            CompiledQuery code,
            int pipelines,
            boolean merges,
            boolean goesOn,
            StateOptions options,
            NativeAllocator allocator) {
        this.goesOn = goesOn;
        this.code = code;
        this.unfinished = pipelines;
        this.parts = new PartialsMerge(code, merges, options.maxBytes(), allocator);
        seen = new SeenTime(code.query().aggregate().flatMap(a -> a.window()).isPresent());
        empty = new EmptyWindows(code, goesOn, seen, allocator);
        carried = CarriedGroupsFactory.of(code, allocator);
        delayNs = options.delayNs();
        totals = new MergedTotals(code, options, allocator);
    }

    /** Takes windows of pipelines that are added; two may have packets of one flow then. */
    public void widen(int pipelines) {
        unfinished += pipelines;
        parts.mergeAll();
    }

    /** Returns the time that its states have seen. */
    public SeenTime seen() {
        return seen;
    }

    /**
     * Sets the action that ends its states. It runs once the last member has left or the gate is
     * past, perhaps twice.
     */
    public void onEnd(Runnable action) {
        onEnd = action;
    }

    void endStates() {
        onEnd.run();
    }

    /**
     * Returns how far all may pass before states here end: until rows are due, or act without
     * delay.
     */
    long holdsAtNs(long untilNs) {
        boolean waits = untilNs < Long.MAX_VALUE && !goesOn && unfinished > 0;
        return waits ? untilNs - Math.min(1, delayNs) : Long.MAX_VALUE;
    }

    /** Adds a member, from the next reported window on. */
    void join(RowMaker member) {
        members.add(member);
    }

    /** Removes a member, and frees the windows that only it has not taken. */
    void leave(RowMaker member) {
        if (members.remove(member)) {
            windows.takenAll(member);
            if (members.isEmpty()) {
                close();
            }
        }
    }

    /** Takes over a window. A window without a member left is freed. */
    void add(WindowPart window) {
        if (window.isLast()) {
            unfinished--;
            processedInNoWindow += window.processed();
            return;
        }
        if (window.isLoss()) {
            members.forEach(member -> member.losses().lost(window.endNs(), window.losses().lost()));
            return;
        }
        WaitingWindow waiting = windows.find(window.endNs());
        if (waiting == null) {
            waiting = windows.add(window.startNs(), window.endNs(), members);
            if (waiting == null) {
                window.partial().close();
                return;
            }
        }
        Partial earlier = waiting.partials.get(window.pipeline());
        waiting.partials.put(
                window.pipeline(),
                earlier == null ? window.partial() : code.merge(earlier, window.partial()));
        waiting.losses = waiting.losses.plus(window.losses());
        waiting.processed += window.processed();
    }

    /**
     * Adds the windows without packets that the query needs.
     *
     * @param passedNs a time that all pipelines have passed, and whose windows were added
     */
    void addEmpty(long passedNs) {
        empty.add(passedNs, windows, members);
    }

    /** Returns the packets of the earliest window that the member has not taken. */
    long processed(RowMaker member) {
        return windows.first(member).processed;
    }

    /** Returns the packets of pipelines that have ended without sending their open windows. */
    long processedInNoWindow() {
        return processedInNoWindow;
    }

    /** Takes the earliest window for a member that makes no rows of it. */
    void discard(RowMaker member) {
        windows.taken(windows.first(member), member);
    }

    /** Returns whether all windows have come. */
    boolean isFinished() {
        return unfinished == 0 && empty.areComplete();
    }

    /** Marks all pipelines as finished, for a state that ends early. */
    public void finished() {
        unfinished = 0;
    }

    /** Returns the end of the earliest window that the member has not taken; else MAX_VALUE. */
    long firstEndNs(RowMaker member) {
        WaitingWindow first = windows.first(member);
        return first == null ? Long.MAX_VALUE : first.endNs;
    }

    boolean isWaiting(RowMaker member) {
        return windows.first(member) != null;
    }

    /**
     * Makes the member's rows of the earliest window that it has not taken.
     *
     * @throws WeirException OUT_OF_NATIVE_MEMORY; the window then counts as taken
     */
    Taken take(RowMaker member) {
        WaitingWindow first = windows.first(member);
        try {
            first.due(member);
            gather(first);
            first.kept.ifPresent(member::tell);
            member.tellSums(first.whole);
            boolean partial = isPartial(first, member);
            carried.ifPresent(groups -> first.carry(groups, member, partial));
            RowContext context = first.context(member, partial);
            RowBatch rows = finished(first, member, context);
            if (rows.rows() > 0) {
                first.told(member);
            } else {
                member.losses().late(first.losses.late());
            }
            if (rows.rows() == 0 && goesOn && first.isEmpty()) {
                member.unmade(first.lost()); // no shard reports the loss in rows
            }
            return new Taken(rows, context);
        } catch (WeirException noMemory) {
            member.unmade(first.losses.lost() + first.processed);
            throw noMemory;
        } finally {
            windows.taken(first, member);
        }
    }

    private boolean isPartial(WaitingWindow window, RowMaker member) {
        return seen.isOfWindows()
                && (window.losses.partial()
                        || seen.lacks(window.startNs, window.endNs)
                        || member.lacks(window.startNs, window.endNs));
    }

    /** The rows of a window, and the facts that they show about it. */
    record Taken(RowBatch rows, RowContext context) {}

    /**
     * Returns all rows of a table after a tick. For running totals these are the rows of all
     * groups, otherwise the tick's rows.
     */
    RowBatch table(RowMaker member, Taken window) {
        return totals.areKept()
                ? member.finishTable(totals.whole(), window.rows(), window.context())
                : window.rows();
    }

    private static RowBatch finished(WaitingWindow window, RowMaker member, RowContext context) {
        Optional<Shortlist> listed = window.listed(member);
        return listed.isPresent()
                ? member.finish(listed.get(), window.startNs, window.endNs, context)
                : member.finish(window.whole, window.startNs, window.endNs, context);
    }

    /**
     * Sends on the groups of the earliest window that the member has not taken.
     *
     * @param lastOnes whether its query has a successor and has only open windows left
     * @throws WeirException OUT_OF_NATIVE_MEMORY; the window then counts as taken
     */
    void depart(RowMaker member, PartialExporter exporter, boolean lastOnes) {
        WaitingWindow first = windows.first(member);
        try {
            member.losses().due(first.endNs);
            gatherOrTell(first, member, exporter, goesOn || lastOnes);
            first.kept.ifPresent(member::tell);
            boolean all = totals.areKept() && exporter.wantsTable() && toldAll != exporter;
            toldAll = exporter;
            List<Partial> groups = all ? List.of(totals.whole()) : first.whole;
            depart(first, member, exporter, groups, first.processed);
        } finally {
            windows.taken(first, member);
        }
    }

    /**
     * Gathers the window. Without memory, and if the query goes on, it is sent without groups and
     * reports its losses.
     */
    private void gatherOrTell(
            WaitingWindow window, RowMaker member, PartialExporter exporter, boolean tells) {
        try {
            gather(window);
        } catch (WeirException noMemory) {
            if (tells) {
                member.unmade(window.processed);
                depart(window, member, exporter, List.of(), 0);
            }
            throw noMemory;
        }
    }

    private void depart(
            WaitingWindow window,
            RowMaker member,
            PartialExporter exporter,
            List<Partial> groups,
            long processed) {
        long untold = member.losses().packets();
        Losses losses = window.losses.plus(goesOn ? Losses.own(untold) : Losses.of(untold));
        losses = losses.plus(isPartial(window, member) ? Losses.PART : Losses.NONE);
        exporter.window(
                member.departing(),
                groups,
                new PartialExporter.Span(window.startNs, window.endNs, losses, processed));
        member.losses().told(window.endNs);
    }

    /** Gathers once for all members. Only the check is repeated. */
    private void gather(WaitingWindow waiting) {
        if (waiting.whole == null) {
            waiting.whole = parts.whole(waiting.parts());
            for (Partial part : waiting.whole) {
                part.tables(); // settles the tables, which needs memory too
                waiting.groupsLost += part.groupsLost();
            }
            if (totals.areKept() && waiting.groupsLost == 0) {
                waiting.groupsLost = totals.add(waiting);
            }
            waiting.kept = code.kept(waiting.whole);
            waiting.leftOutMost = code.leftOutMost(waiting.whole);
        }
        if (waiting.groupsLost > 0 && waiting.kept.isEmpty()) {
            throw parts.lacksGroups(waiting.groupsLost);
        }
    }

    /** Returns whether it has totals that continue over its windows. */
    public boolean hasTotals() {
        return totals.areKept();
    }

    /**
     * Keeps the newest totals of all groups from now on, for a reader that wants all. Ticks bring
     * only changed groups.
     */
    public void keepTable() {
        totals.keepTable();
    }

    /** Sets the keeper of its totals from now on. */
    public void keep(TotalsKeeper who) {
        totals.keep(who);
    }

    /**
     * Adds the totals of a predecessor. The caller keeps the partial.
     *
     * @throws WeirException OUT_OF_NATIVE_MEMORY, when some of it may have been added
     */
    public void resume(Partial changes) {
        long lost = totals.resume(changes);
        if (lost > 0) {
            throw parts.lacksGroups(lost);
        }
    }

    /** Frees the waiting windows without a result. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            onEnd.run();
            windows.clear();
            carried.ifPresent(CarriedGroups::close);
            totals.close();
        }
    }
}
