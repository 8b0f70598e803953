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
    private MergeJournal journal;

    /** Windows that are not final, by their ends; by worker, which is the order of the merge. */
    private final TreeMap<Long, TreeMap<String, Contribution>> windows = new TreeMap<>();

    private final Map<String, Long> known = new HashMap<>();

    /** Sources whose later lives go on where earlier ones ended. */
    private final Set<String> goesOn = new HashSet<>();

    private final Map<String, Long> lastProcessed = new HashMap<>();
    private final Set<String> ended = new HashSet<>();
    private final Map<String, Long> untils = new HashMap<>();

    /** Workers that are gone, and how far they had come. */
    private final Map<String, Long> left = new HashMap<>();

    private final TotalsLog totals;
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
        totals = new TotalsLog(id, query, journal);
        gate = new Gate(id.fromNs(), Long.MAX_VALUE);
        activeFromNs = Long.MIN_VALUE;
        finalNs = query.finalNs(id);
    }

    /** Who is told what to keep: another than at first, where this was restored. */
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
        return endNs <= finalNs || endNs == Long.MAX_VALUE && query.isLast(id);
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
            // What is in it is in no row. Where lives go on, the next window says so.
            known.put(worker, window.goesOn() ? counted : all);
            counts.lateWindows().incrementAndGet();
            counts.latePackets().addAndGet(window.processed());
            return Optional.empty();
        }
        long missing = window.before() - counted;
        missing = window.goesOn() ? Math.max(-window.lost(), missing) : Math.max(0, missing);
        Parcel.Window kept = window.withLost(window.lost() + missing);
        known.put(worker, window.goesOn() ? counted + kept.lost() + kept.processed() : all);
        if (window.goesOn()) {
            goesOn.add(worker);
        }
        contribution.end(kept);
        lastProcessed.put(worker, window.processed());
        left.remove(worker);
        activeFromNs = Math.max(activeFromNs, window.activeFromNs());
        until(worker, window.untilNs());
        return Optional.of(kept);
    }

    /** A source's life is over: what it had begun to send never ends. */
    void cut(String worker) {
        changed = true;
        if (!goesOn.contains(worker)) {
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
     * A worker is gone that had not ended: it is missing from the windows after those that it had
     * passed, until one of it comes.
     */
    void left(String worker, long passedNs) {
        if (!ended.contains(worker)) {
            left.put(worker, passedNs);
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
     * @param passedNs what is final from now on, heard of or not
     * @param absent who is expected and is not waited for, and how far it had come: of the windows
     *     after that, as much is missing as it sent last
     */
    void hand(ResultStage stage, long watermarkNs, long passedNs, Map<String, Long> absent) {
        while (!windows.isEmpty() && dueNs() <= watermarkNs) {
            Map.Entry<Long, TreeMap<String, Contribution>> first = windows.pollFirstEntry();
            long endNs = first.getKey();
            if (endNs == Long.MAX_VALUE) {
                query.last(id);
            } else {
                finalNs = endNs;
            }
            hand(stage, first.getValue(), absent);
            counts.finalWindows().incrementAndGet();
            journal.isFinal(id, endNs);
            changed = true;
        }
        // What ends at or before the time and was never heard of is final too, and empty.
        finalNs = Math.max(finalNs, passedNs);
    }

    private long dueNs() {
        return Math.min(windows.firstKey(), gate.untilNs());
    }

    private void hand(
            ResultStage stage, Map<String, Contribution> window, Map<String, Long> absent) {
        long lost = 0;
        for (Map.Entry<String, Long> last : lastProcessed.entrySet()) {
            if (isMissing(last.getKey(), window, absent)) {
                lost += last.getValue();
                if (goesOn.contains(last.getKey())) {
                    // A guess; its next window is told less, or more, by it.
                    known.merge(last.getKey(), last.getValue(), Long::sum);
                }
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

    /** Whether a worker had a part in this that has not come. */
    private boolean isMissing(
            String worker, Map<String, Contribution> window, Map<String, Long> absent) {
        Contribution sent = window.get(worker);
        if (sent != null && sent.window() != null || ended.contains(worker)) {
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
        Long goneNs = left.get(worker);
        return span.endNs() > absent.getOrDefault(worker, Long.MAX_VALUE)
                || goneNs != null && span.endNs() > goneNs && span.endNs() - FORGOTTEN_NS <= goneNs;
    }

    /** With its first window: then it is known whether totals come by ticks. */
    private void begin(Parcel.Window first) {
        if (activation != null) {
            return;
        }
        boolean ticks = first.endNs() != Long.MAX_VALUE && !query.counted;
        StateOptions gathered = ticks ? options : new StateOptions(options.maxBytes(), 0);
        Gathering gathering = new Gathering(query.code, 1, query.splits, gathered, allocator);
        if (gathering.hasTotals()) {
            totals.resume(gathering, allocator, options.maxBytes(), counts);
        }
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
                            goesOn.contains(worker)));
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
                            until(worker, part.untilNs());
                        });
        changed = false;
    }

    /** A block of totals, in the order in which they were kept. */
    void restoreTotal(long endNs, byte[] block) {
        totals.restore(endNs, block);
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
