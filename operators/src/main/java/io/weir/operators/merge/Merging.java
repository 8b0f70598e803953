package io.weir.operators.merge;

import io.weir.operators.kernel.Gate;
import io.weir.operators.kernel.Partial;
import io.weir.operators.kernel.StateOptions;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.result.Activation;
import io.weir.operators.result.ClosedWindow;
import io.weir.operators.result.Gathering;
import io.weir.operators.result.ResultStage;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * One activation of a query: its windows as they come from the sources, until they are final. The
 * merge's thread.
 */
final class Merging implements AutoCloseable {
    /** Who is gone for so long is not missed any more. */
    private static final long FORGOTTEN_NS = 3_600_000_000_000L;

    private static final long UNKNOWN = -1;

    private final MergedQuery query;
    private final ActivationId id;
    private final NativeAllocator allocator;
    private final StateOptions options;
    private final MergeCounts counts;
    private final MergeJournal journal;

    /** Windows that are not final, by their ends; by worker, which is the order of the merge. */
    private final TreeMap<Long, TreeMap<String, Contribution>> windows = new TreeMap<>();

    private final Map<String, Long> known = new HashMap<>();

    /** Sources whose later lives go on where earlier ones ended. */
    private final Set<String> goesOn = new HashSet<>();

    private final Map<String, Long> lastProcessed = new HashMap<>();
    private final Set<String> ended = new HashSet<>();
    private final Map<String, Long> untils = new HashMap<>();

    /** Of which windows sources have sent nothing that they may have had a part in. */
    private final Map<String, MergeJournal.Absence> absences = new HashMap<>();

    private final Gate gate;
    private long activeFromNs;
    private long finalNs;
    private Activation activation;
    private MergeJournal.ActivationMark restored;
    private boolean changed;
    private boolean closed;

    Merging(
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
        gate = new Gate(id.fromNs(), Long.MAX_VALUE);
        activeFromNs = Long.MIN_VALUE;
        finalNs = query.finalNs(id);
    }

    ActivationId id() {
        return id;
    }

    MergedQuery query() {
        return query;
    }

    /** What has come of a window; null when it is final, or this is over. */
    Contribution window(String worker, long endNs) {
        if (closed || isFinal(endNs)) {
            return null;
        }
        return windows.computeIfAbsent(endNs, e -> new TreeMap<>())
                .computeIfAbsent(worker, w -> new Contribution(newPartial()));
    }

    Partial newPartial() {
        return query.code.newPartial(allocator, options.maxBytes());
    }

    private boolean isFinal(long endNs) {
        return endNs <= finalNs;
    }

    /**
     * A source has sent the whole of a window.
     *
     * @return the window with all that is lost in it; empty when it came too late
     */
    Optional<Parcel.Window> end(String worker, Parcel.Window window, boolean fromTheBeginning) {
        long all = window.before() + window.lost() + window.processed();
        Contribution contribution = window(worker, window.endNs());
        boolean late = contribution == null || contribution.window() != null;
        Long before = known.get(worker);
        long counted = before != null ? before : window.before();
        if (!window.goesOn() && before == null && fromTheBeginning) {
            counted = 0;
        }
        changed = true;
        if (late) {
            // What is in it is in no row: the next window that is not late says so.
            known.put(worker, counted);
            counts.lateWindows().incrementAndGet();
            counts.latePackets().addAndGet(window.processed());
            return Optional.empty();
        }
        // Less than none where more was guessed. Where lives go on, sums are to be right in the
        // end;
        // else no guess may take away what this window has lost.
        long missing = window.before() - counted;
        missing = window.goesOn() ? Math.max(-window.lost(), missing) : Math.max(0, missing);
        Parcel.Window kept = window.withLost(window.lost() + missing);
        known.put(worker, window.goesOn() ? counted + kept.lost() + kept.processed() : all);
        if (window.goesOn()) {
            goesOn.add(worker);
        }
        contribution.end(kept);
        lastProcessed.put(worker, window.processed());
        absences.computeIfPresent(worker, (w, absence) -> absence.until(window.endNs()));
        activeFromNs = Math.max(activeFromNs, window.activeFromNs());
        until(worker, window.untilNs());
        return Optional.of(kept);
    }

    /**
     * A source's life is over: what it had begun to send never ends.
     *
     * @param passedNs how far it had come
     */
    void cut(String worker, long passedNs) {
        changed = true;
        if (!goesOn.contains(worker)) {
            absent(worker, new MergeJournal.Absence(passedNs, Long.MAX_VALUE, true));
            known.remove(worker);
        }
        ended.remove(worker);
        for (TreeMap<String, Contribution> window : windows.values()) {
            Contribution begun = window.get(worker);
            if (begun != null && begun.window() == null) {
                window.remove(worker).close();
                counts.cutWindows().incrementAndGet();
            }
        }
        windows.values().removeIf(Map::isEmpty);
    }

    void ended(String worker, long untilNs) {
        ended.add(worker);
        until(worker, untilNs);
    }

    /** Workers hear of an end at different times; it has come when all of them know. */
    private void until(String worker, long untilNs) {
        changed = true;
        untils.put(worker, untilNs);
        gate.until(untils.values().stream().mapToLong(Long::longValue).max().getAsLong());
    }

    /**
     * A worker is gone that had not ended, or something that it has sent has not come: it is
     * missing from the windows after those that it had passed, up to the next one that comes.
     */
    void left(String worker, long passedNs) {
        absent(worker, new MergeJournal.Absence(passedNs, Long.MAX_VALUE, false));
    }

    private void absent(String worker, MergeJournal.Absence absence) {
        boolean begun = absence.sinceNs() != Long.MIN_VALUE && absence.sinceNs() != Long.MAX_VALUE;
        if (begun && !ended.contains(worker)) {
            absences.merge(worker, absence, MergeJournal.Absence::and);
            changed = true;
        }
    }

    /** Whether no window can come any more. */
    boolean isEnded(Set<String> awaited, long watermarkNs) {
        boolean all =
                !ended.isEmpty()
                        && ended.containsAll(awaited)
                        && ended.containsAll(lastProcessed.keySet());
        return windows.isEmpty() && (all || watermarkNs >= gate.untilNs());
    }

    /**
     * Hands over the windows that are due by this time; what has come of them is all that counts.
     *
     * @param absent who is expected and is not waited for, and how far it had come: of the windows
     *     after that, as much is missing as it sent last
     */
    void hand(ResultStage stage, long watermarkNs, Map<String, Long> absent) {
        while (!windows.isEmpty() && dueNs() <= watermarkNs) {
            Map.Entry<Long, TreeMap<String, Contribution>> first = windows.pollFirstEntry();
            finalNs = first.getKey();
            hand(stage, first.getValue(), absent);
            counts.finalWindows().incrementAndGet();
            journal.isFinal(id, finalNs);
            changed = true;
        }
        // What ends at or before the time and was never heard of is final too, and empty.
        finalNs = Math.max(finalNs, Math.min(watermarkNs, Long.MAX_VALUE - 1));
        changed |= absences.values().removeIf(absence -> absence.untilNs() <= finalNs);
    }

    private long dueNs() {
        return Math.min(windows.firstKey(), gate.untilNs());
    }

    private void hand(
            ResultStage stage, Map<String, Contribution> window, Map<String, Long> absent) {
        long lost = 0;
        for (Map.Entry<String, Long> last : lastProcessed.entrySet()) {
            if (isMissing(last.getKey(), window, absent)) {
                // Some at least, or the window would call itself complete.
                long guess = Math.max(1, last.getValue());
                lost += guess;
                guessed(last.getKey(), guess);
            }
        }
        int index = 0;
        for (Contribution contribution : window.values()) {
            if (contribution.window() == null) {
                contribution.close();
                counts.cutWindows().incrementAndGet();
                continue;
            }
            begin(contribution.window());
            Parcel.Window span = contribution.window();
            stage.accept(
                    new ClosedWindow(
                            activation.gathering(),
                            index++,
                            span.startNs(),
                            span.endNs(),
                            contribution.partial(),
                            contribution.lost() + lost,
                            contribution.processed()));
            lost = 0;
        }
    }

    /** So many packets were told as lost: the source's next window is told less, or more. */
    private void guessed(String worker, long packets) {
        MergeJournal.Absence absence = absences.get(worker);
        if (absence != null && absence.ofLifeBefore()) {
            return;
        }
        // Its next window may wait already, and tell of them: they are told where they are missed.
        long moved = absence == null ? 0 : takeLoss(worker, absence.untilNs(), packets);
        if (goesOn.contains(worker)) {
            known.merge(worker, packets - moved, Long::sum);
        } else {
            known.computeIfPresent(worker, (w, counted) -> counted + packets - moved);
        }
    }

    /** Returns how many packets of these the window does not tell as lost any more. */
    private long takeLoss(String worker, long endNs, long packets) {
        TreeMap<String, Contribution> next = windows.get(endNs);
        Contribution waiting = next == null ? null : next.get(worker);
        if (waiting == null || waiting.window() == null) {
            return 0;
        }
        long taken = Math.min(packets, waiting.window().lost());
        waiting.end(waiting.window().withLost(waiting.window().lost() - taken));
        return taken;
    }

    /** Whether a worker had a part in this that has not come. */
    private boolean isMissing(
            String worker, Map<String, Contribution> window, Map<String, Long> absent) {
        Contribution sent = window.get(worker);
        if (sent != null && sent.window() != null) {
            return false;
        }
        Parcel.Window span =
                window.values().stream()
                        .map(Contribution::window)
                        .filter(Objects::nonNull)
                        .findFirst()
                        .orElse(null);
        if (span == null) {
            return false;
        }
        MergeJournal.Absence absence = absences.get(worker);
        if (absence != null && absence.isOver() && absence.holds(span.endNs())) {
            return true;
        }
        return !ended.contains(worker)
                && (span.endNs() > absent.getOrDefault(worker, Long.MAX_VALUE)
                        || absence != null
                                && absence.holds(span.endNs())
                                && span.endNs() - FORGOTTEN_NS <= absence.sinceNs());
    }

    /** With its first window: then it is known whether totals come by ticks. */
    private void begin(Parcel.Window first) {
        if (activation != null) {
            return;
        }
        boolean ticks = first.endNs() != Long.MAX_VALUE && !query.counted;
        StateOptions gathered = ticks ? options : new StateOptions(options.maxBytes(), 0);
        Gathering gathering = new Gathering(query.code, 1, query.splits, gathered, allocator);
        activation =
                new Activation(query.code, gate, activeFromNs, id.output(), gathering, allocator);
        query.result.activate(activation);
        if (restored != null) {
            activation.limit().resume(restored.rowsSkipped(), restored.rowsPassed());
        }
    }

    /** Tells the journal what has changed, windows apart. */
    void journal() {
        if (changed) {
            changed = false;
            journal.activation(id, mark());
        }
    }

    private MergeJournal.ActivationMark mark() {
        Map<String, MergeJournal.PartMark> parts = new TreeMap<>();
        for (Map.Entry<String, Long> until : untils.entrySet()) {
            String worker = until.getKey();
            parts.put(
                    worker,
                    new MergeJournal.PartMark(
                            known.getOrDefault(worker, UNKNOWN),
                            lastProcessed.getOrDefault(worker, UNKNOWN),
                            until.getValue(),
                            ended.contains(worker),
                            goesOn.contains(worker),
                            Optional.ofNullable(absences.get(worker))));
        }
        boolean limited = activation != null;
        return new MergeJournal.ActivationMark(
                activeFromNs,
                finalNs,
                parts,
                limited ? activation.limit().skipped() : 0,
                limited ? activation.limit().passed() : 0);
    }

    void restore(MergeJournal.ActivationMark mark) {
        restored = mark;
        activeFromNs = mark.activeFromNs();
        finalNs = mark.finalNs();
        mark.parts()
                .forEach(
                        (worker, part) -> {
                            if (part.known() != UNKNOWN) {
                                known.put(worker, part.known());
                            }
                            if (part.lastProcessed() != UNKNOWN) {
                                lastProcessed.put(worker, part.lastProcessed());
                            }
                            if (part.ended()) {
                                ended.add(worker);
                            }
                            if (part.goesOn()) {
                                goesOn.add(worker);
                            }
                            part.absence().ifPresent(absence -> absences.put(worker, absence));
                            until(worker, part.untilNs());
                        });
        changed = false;
    }

    /** The end of a window that waited when the journal was kept. */
    void restore(String worker, Parcel.Window window) {
        Contribution contribution = window(worker, window.endNs());
        if (contribution != null) {
            contribution.end(window);
        }
    }

    /** Lets the activation end with the windows that it has. */
    void finish() {
        closed = true;
        query.ended(id, finalNs);
        if (activation != null) {
            activation.gathering().finished();
        }
    }

    /** Frees what has not been handed over. */
    @Override
    public void close() {
        closed = true;
        windows.values().forEach(w -> w.values().forEach(Contribution::close));
        windows.clear();
    }
}
