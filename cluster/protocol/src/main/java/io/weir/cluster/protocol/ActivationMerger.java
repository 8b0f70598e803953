package io.weir.cluster.protocol;

import io.weir.cluster.protocol.OpenWindows.Part;
import io.weir.operators.kernel.ActiveInterval;
import io.weir.operators.kernel.Partial;
import io.weir.operators.kernel.StateOptions;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.result.Activation;
import io.weir.operators.result.ClosedWindow;
import io.weir.operators.result.Losses;
import io.weir.operators.result.QueryShape;
import io.weir.operators.result.ResultStage;
import io.weir.operators.result.WindowMerger;
import io.weir.operators.result.WindowPart;
import java.util.HashSet;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.function.BinaryOperator;

/** Merges the windows of one activation until they are final. The merge's thread. */
final class ActivationMerger implements AutoCloseable {
    private final MergedQuery query;
    private final ActivationId id;
    private final NativeAllocator allocator;
    private final StateOptions options;
    private final MergeCounts counts;
    private MergeJournal journal;

    private final OpenWindows windows;

    /** True for running totals without WHEN: they go on when all sources have ended. */
    private final boolean goesOn;

    private final ReportedParts parts = new ReportedParts();
    private final TotalsLog totals;
    private final ActiveInterval gate;

    private final ToldBindings bindings;
    private long activeFromNs;
    private MergeJournal.Final made;
    private Activation activation;
    private MergeJournal.ActivationMark restored;
    private boolean changed;
    private boolean closed;

    ActivationMerger(
            MergedQuery query,
            ActivationId id,
            StateOptions options,
            NativeAllocator allocator,
            MergeCounts counts,
            MergeJournal journal) {
        this.journal = journal;
        this.query = query;
        this.id = id;
        this.options = options;
        this.allocator = allocator;
        this.counts = counts;
        goesOn = QueryShape.isTotals(query.code.query()) && id.fromNs() == Long.MIN_VALUE;
        windows = new OpenWindows(goesOn, this::newPartial);
        totals = new TotalsLog(id, query, journal);
        bindings = new ToldBindings(query.code.query());
        gate = new ActiveInterval(id.fromNs(), Long.MAX_VALUE, bindings.feed());
        activeFromNs = Long.MIN_VALUE;
        MergeJournal.EndedMark before = query.finals.take(id);
        made = before.made();
        gate.until(parts.restore(before.parts()));
    }

    /** Sets the journal; a restored activation has another one at first. */
    void keepIn(MergeJournal keeper) {
        journal = keeper;
        totals.keepIn(keeper);
    }

    ActivationId id() {
        return id;
    }

    MergedQuery query() {
        return query;
    }

    /** Returns the parts of a window that have come; null when it is final, or this is over. */
    Contribution window(MergeMessage message, long endNs) {
        return closed ? null : windows.of(message, endNs, made);
    }

    Partial newPartial() {
        return query.code.newPartial(allocator, options.maxBytes());
    }

    /** Notes that a process that sends windows begins. */
    void begins() {
        changed |= made.totals();
        made = made.begins();
    }

    /** Notes that a source has sent the whole of a window. */
    void end(MergeMessage.WindowEnd end, boolean fromTheBeginning) {
        MergeMessage.Window window = end.window();
        Contribution contribution = window(end, window.endNs());
        String worker = end.source().worker();
        changed = true;
        if (contribution == null || contribution.window() != null) {
            parts.late(worker, window, fromTheBeginning);
            counts.lateWindows().incrementAndGet();
            counts.latePackets().addAndGet(window.processed());
            until(worker, window.untilNs());
            return;
        }
        bindings.told(window);
        waits(contribution, end.with(parts.whole(worker, window, fromTheBeginning)));
        activeFromNs = Math.max(activeFromNs, window.activeFromNs());
        until(worker, window.untilNs());
    }

    /** A successor of this process must find the window as it is reported here. */
    private void waits(Contribution contribution, MergeMessage.WindowEnd end) {
        contribution.end(end);
        journal.waits(end);
    }

    /**
     * Notes that a source's process is over. Windows that it had begun to send never end.
     *
     * @param passedNs how far it had come
     */
    void cut(WorkerEpoch source, long passedNs) {
        changed = true;
        tellNext(parts.cut(source.worker(), passedNs));
        counts.cutWindows().addAndGet(windows.cut(source));
    }

    void ended(String worker, long untilNs) {
        tellNext(parts.ended(worker));
        until(worker, untilNs);
    }

    /**
     * Adds packets that no window of their worker will report: the next window of any source does.
     * Shards report the same packets, and are never given up.
     */
    private void tellNext(long packets) {
        if (query.counted) {
            return;
        } else if (activation != null) {
            activation.resume(activation.untold() + packets);
        } else {
            made = made.untold(made.untold() + packets);
        }
    }

    /** Notes the activation's end, as far as a source knows it. */
    void until(String worker, long untilNs) {
        changed = true;
        gate.until(parts.until(worker, untilNs));
    }

    /**
     * Notes that a worker is gone that had not ended, or that some of its messages have not come.
     * It is missing from the windows after those that it had passed, up to its next window.
     */
    void left(String worker, long passedNs) {
        changed |= parts.left(worker, passedNs);
    }

    /** Returns whether there is a window that is not final. */
    boolean isWaiting() {
        return !windows.isEmpty();
    }

    /** Returns whether no window can come any more. */
    boolean isEnded(Set<String> awaited, long watermarkNs) {
        return !goesOn
                && windows.isEmpty()
                && (parts.areEnded(awaited) || watermarkNs >= gate.untilNs());
    }

    /**
     * Hands over the windows that are due by this time. Only the parts that have come count.
     *
     * @param passedNs the time up to which all is final from now on, known or not
     * @param absent sources that are not waited for. If one may have a part in a window, as much is
     *     missing there as it sent last
     */
    void hand(ResultStage stage, long watermarkNs, long passedNs, AbsentWorkers absent) {
        windows.settle();
        while (!windows.isEmpty()
                && Math.min(windows.firstEndNs(), gate.untilNs()) <= watermarkNs) {
            Map.Entry<Long, NavigableMap<Part, Contribution>> first = windows.takeFirst();
            long endNs = first.getKey();
            made = made.and(endNs);
            hand(stage, endNs, first.getValue(), absent);
            counts.finalWindows().incrementAndGet();
            journal.isFinal(id, endNs);
            changed = true;
        }
        bindings.passed(passedNs);
        // An unknown window that ends at or before the time is also final, and empty.
        made = made.and(passedNs);
        changed |= parts.passed(made.endNs());
    }

    private void hand(
            ResultStage stage, long endNs, Map<Part, Contribution> window, AbsentWorkers absent) {
        Set<String> came = new HashSet<>();
        window.forEach(
                (part, contribution) -> {
                    if (contribution.window() != null) {
                        came.add(part.source().worker());
                    }
                });
        boolean ofOneShard = query.counted && !query.form.isSharded();
        AbsentWorkers lacking = ofOneShard ? AbsentWorkers.NOBODY : absent;
        BinaryOperator<Losses> together = CountedPackets.together(query.counted);
        // If nobody has reported the window, no row can show what is missing.
        Losses others =
                came.isEmpty()
                        ? Losses.NONE
                        : parts.missing(came, endNs, lacking, together, this::takeLoss);
        CountedPackets all = CountedPackets.of(window, others, query.counted);
        int index = -1;
        WorkerEpoch last = null;
        for (Map.Entry<Part, Contribution> part : window.entrySet()) {
            Contribution contribution = part.getValue();
            if (contribution.window() == null) {
                contribution.close();
                counts.cutWindows().incrementAndGet();
                continue;
            }
            begin();
            counts.handedWindows().incrementAndGet();
            // Changes of one source add up; of totals that were added up the latest counts.
            index += query.counted || !part.getKey().source().equals(last) ? 1 : 0;
            last = part.getKey().source();
            MergeMessage.Window span = contribution.window();
            stage.accept(
                    new ClosedWindow(
                            activation.merger(),
                            new WindowPart(
                                    index,
                                    span.startNs(),
                                    endNs,
                                    contribution.told(others.lacking() > 0),
                                    all.losses(),
                                    all.processed())));
            all = CountedPackets.NONE;
            if (span.endNs() != endNs) {
                journal.isFinal(id, contribution.end());
            }
        }
    }

    /** Returns how many packets of these a waiting window no longer reports as lost. */
    private long takeLoss(String worker, long endNs, long packets) {
        long taken = 0;
        for (Contribution waiting : windows.of(worker, endNs)) {
            if (waiting.window() != null) {
                taken += takeLoss(waiting, packets - taken);
            }
        }
        return taken;
    }

    private long takeLoss(Contribution waiting, long packets) {
        Losses told = waiting.window().losses();
        long taken = Math.min(packets, told.lost());
        waits(waiting, waiting.end().with(told.atMost(told.lost() - taken)));
        return taken;
    }

    /** With its first window. */
    private void begin() {
        if (activation != null) {
            return;
        }
        StateOptions gathered = !query.counted ? options : new StateOptions(options.maxBytes(), 0);
        WindowMerger merger = WindowMerger.merged(query.code, query.splits, gathered, allocator);
        if (query.keepsTable && query.counted) {
            merger.keepTable();
        }
        if (merger.hasTotals() && !totals.resume(merger, allocator, options.maxBytes(), counts)) {
            // The packets in them are lost. Some may have been reported as lost before.
            made = made.untold(made.untold() + parts.known());
        }
        activation = new Activation(query.code, gate, activeFromNs, id.output(), merger, allocator);
        activation.resume(made.untold());
        activation.onKept(counts::kept);
        activation.onSumsBeyond(counts.sumsBeyond()::addAndGet);
        activation.onForgotten(counts.forgotten()::addAndGet);
        query.result.activate(activation);
        if (restored != null) {
            activation.limit().resume(restored.rowsSkipped(), restored.rowsPassed());
        }
    }

    /** Lets its totals be read as a table from now on: all groups come with the next window. */
    void keepTable() {
        if (activation != null && !activation.merger().hasTotals()) {
            activation.merger().keepTable();
            activation.merger().keep(totals);
        }
    }

    /** Writes the changes to the journal, without windows. */
    void journal() {
        if (changed) {
            changed = false;
            journal.activation(id, mark());
        }
    }

    private MergeJournal.ActivationMark mark() {
        long skipped = restored == null ? 0 : restored.rowsSkipped();
        long passed = restored == null ? 0 : restored.rowsPassed();
        if (activation != null) {
            skipped = activation.limit().skipped();
            passed = activation.limit().passed();
        }
        return new MergeJournal.ActivationMark(
                activeFromNs, made(), parts.marks(), skipped, passed);
    }

    private MergeJournal.Final made() {
        return activation == null ? made : made.untold(activation.untold());
    }

    void restore(MergeJournal.ActivationMark mark) {
        restored = mark;
        activeFromNs = mark.activeFromNs();
        made = mark.made();
        gate.until(parts.restore(mark.parts()));
        changed = false;
    }

    /** Restores a block of totals, in the stored order. */
    void restoreTotal(long endNs, byte[] block) {
        totals.restore(endNs, block);
    }

    /** Restores the end of a window that waited when the journal was written. */
    void restore(MergeMessage.WindowEnd end) {
        Contribution contribution = window(end, end.window().endNs());
        if (contribution != null) {
            bindings.told(end.window());
            contribution.end(end);
        }
    }

    /** Without a mark, rows of all passed windows count as made. */
    void restore(UnreadableRecord unread, long passedNs) {
        if (unread instanceof UnreadableRecord.Window window) {
            parts.unread(window.endNs());
        } else if (unread instanceof UnreadableRecord.Totals) {
            totals.unread();
        } else {
            made = made.and(passedNs);
        }
    }

    /** Lets the activation end with the windows that it has. */
    void finish() {
        closed = true;
        if (activation != null) {
            activation.merger().finished();
        }
    }

    /** Notes that it has ended, and its last rows were made. */
    void over() {
        query.finals.ended(id, new MergeJournal.EndedMark(made(), parts.marks()), journal);
    }

    /**
     * Drops the waiting windows.
     *
     * @param replaced whether they are lost, because another version exists
     */
    void drop(boolean replaced) {
        for (Contribution contribution : windows.whole()) {
            if (replaced) {
                counts.replaced(id.query(), contribution.window().processed());
            } else {
                counts.droppedWindows().incrementAndGet();
            }
        }
        close();
    }

    /** Frees the windows that were not handed over. */
    @Override
    public void close() {
        closed = true;
        windows.close();
    }
}
