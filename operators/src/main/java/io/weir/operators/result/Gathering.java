package io.weir.operators.result;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.PartitionKey;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.kernel.Kept;
import io.weir.operators.kernel.Partial;
import io.weir.operators.kernel.RowContext;
import io.weir.operators.kernel.RunningTotals;
import io.weir.operators.kernel.Shortlist;
import io.weir.operators.kernel.StateOptions;
import io.weir.operators.memory.NativeAllocator;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The windows of one state that runs on some pipelines: gathers the pipelines' partials by window,
 * merges them once where the keys ask for it, and keeps them until each of its activations (the
 * queries that share the state) has made its rows of them. It does not know when a window is
 * complete: {@link ResultStage} does. Partials are native memory, so that the allocator's limit
 * bounds what waits here. The results' thread only.
 */
public final class Gathering implements AutoCloseable {
    private final CompiledQuery code;
    private final boolean merges;

    /** Whether a window that lacks groups makes no rows, but an error. */
    private boolean whollyOnly;

    private final RunningTotals totals;
    private final long stateBytes;
    private final NativeAllocator allocator;
    private final List<Activation> members = new ArrayList<>();
    private final TreeMap<Long, Waiting> windows = new TreeMap<>();
    private Runnable onEnd = () -> {};
    private TotalsKeeper keeper;
    private int unfinished;
    private boolean closed;

    /** Partials are merged by the pipelines' numbers, whoever came first. */
    private static final class Waiting {
        private final long startNs;
        private final long endNs;
        private final TreeMap<Integer, Partial> partials = new TreeMap<>();
        private final Set<Activation> takers = Collections.newSetFromMap(new IdentityHashMap<>());
        private List<Partial> whole;
        private Optional<Kept> kept = Optional.empty();

        /** One for each figure that several takers ask about. */
        private final List<Shortlist> shortlists = new ArrayList<>();

        private Losses losses = Losses.NONE;
        private long processed;

        Waiting(long startNs, long endNs) {
            this.startNs = startNs;
            this.endNs = endNs;
        }

        List<Partial> parts() {
            return whole != null ? whole : List.copyOf(partials.values());
        }
    }

    /**
     * Of a state that runs on the pipelines of one engine.
     *
     * @param code the state's: its groups have all folds that members ask for
     * @param pipelines how many the state runs on
     * @param options with ticks, where totals shall come so
     */
    public Gathering(
            CompiledQuery code, int pipelines, StateOptions options, NativeAllocator allocator) {
        this(
                code,
                pipelines,
                pipelines > 1 && PartitionKey.DEFAULT.splitsGroups(code.query()),
                options,
                allocator);
        whollyOnly = true;
    }

    /**
     * @param merges whether two pipelines can have parts of a group
     */
    public Gathering(
            CompiledQuery code,
            int pipelines,
            boolean merges,
            StateOptions options,
            NativeAllocator allocator) {
        this.code = code;
        this.unfinished = pipelines;
        this.allocator = allocator;
        this.merges = merges;
        stateBytes = options.maxBytes();
        totals =
                options.tickNs() > 0 && QueryShape.isTotals(code.query())
                        ? code.newTotals(allocator, options)
                        : null;
    }

    /** What to do once, when the last member has left. */
    public void onEnd(Runnable action) {
        onEnd = action;
    }

    /** From the next window that is heard of. */
    void join(Activation member) {
        members.add(member);
    }

    /** Gives up what it has not taken yet. */
    void leave(Activation member) {
        if (members.remove(member)) {
            for (Waiting waiting : List.copyOf(windows.values())) {
                taken(waiting, member);
            }
            if (members.isEmpty()) {
                close();
            }
        }
    }

    /** Takes over a window; one that comes when nobody is left is freed unseen. */
    void add(ClosedWindow window) {
        if (window.isLast()) {
            unfinished--;
            return;
        }
        Waiting waiting = windows.get(window.endNs());
        if (waiting == null) {
            waiting = new Waiting(window.startNs(), window.endNs());
            for (Activation member : members) {
                if (member.wants(window.startNs())) {
                    waiting.takers.add(member);
                }
            }
            if (waiting.takers.isEmpty()) {
                window.partial().close();
                return;
            }
            windows.put(window.endNs(), waiting);
        }
        Partial earlier = waiting.partials.get(window.pipeline());
        waiting.partials.put(
                window.pipeline(),
                earlier == null ? window.partial() : code.merge(earlier, window.partial()));
        waiting.losses = waiting.losses.plus(window.losses());
        waiting.processed += window.processed();
    }

    /** Whether all pipelines have sent their last window. */
    boolean isFinished() {
        return unfinished == 0;
    }

    /** For a state that ends without a last window of each pipeline. */
    public void finished() {
        unfinished = 0;
    }

    /** End of the earliest window that the member has not taken; MAX_VALUE, too, without one. */
    long firstEndNs(Activation member) {
        Waiting first = first(member);
        return first == null ? Long.MAX_VALUE : first.endNs;
    }

    boolean isWaiting(Activation member) {
        return first(member) != null;
    }

    private Waiting first(Activation member) {
        for (Map.Entry<Long, Waiting> entry : windows.entrySet()) {
            if (entry.getValue().takers.contains(member)) {
                return entry.getValue();
            }
        }
        return null;
    }

    /**
     * The member's rows of the earliest window that it has not taken.
     *
     * @throws WeirException OUT_OF_NATIVE_MEMORY; the window counts as taken then
     */
    RowBatch take(Activation member) {
        Waiting first = first(member);
        try {
            gather(first);
            first.kept.ifPresent(member::tell);
            return finished(first, member);
        } finally {
            taken(first, member);
        }
    }

    private static RowBatch finished(Waiting window, Activation member) {
        RowContext context = context(window, member);
        Optional<Shortlist> listed = listed(window, member);
        return listed.isPresent()
                ? member.finish(listed.get(), window.startNs, window.endNs, context)
                : member.finish(window.whole, window.startNs, window.endNs, context);
    }

    /** What a crowd may want, found in one pass over the groups for all who have not taken. */
    private static Optional<Shortlist> listed(Waiting window, Activation member) {
        for (Shortlist shortlist : window.shortlists) {
            if (member.code().isIn(shortlist)) {
                return Optional.of(shortlist);
            }
        }
        if (window.takers.size() < 2) {
            return Optional.empty();
        }
        List<CompiledQuery> takers = window.takers.stream().map(Activation::code).toList();
        Optional<Shortlist> made = member.code().shortlist(window.whole, takers);
        made.ifPresent(window.shortlists::add);
        return made;
    }

    /**
     * Sends the groups of the earliest window that the member has not taken on their way.
     *
     * @throws WeirException OUT_OF_NATIVE_MEMORY; the window counts as taken then
     */
    void depart(Activation member, Departure departure) {
        Waiting first = first(member);
        try {
            gather(first);
            first.kept.ifPresent(member::tell);
            departure.window(
                    member.departing(),
                    first.whole,
                    new Departure.Span(first.startNs, first.endNs, first.losses, first.processed));
        } finally {
            taken(first, member);
        }
    }

    /** Once for all members, but for the check. */
    private void gather(Waiting waiting) {
        if (waiting.whole == null) {
            List<Partial> parts = waiting.parts();
            waiting.whole = merges && parts.size() > 1 ? List.of(merged(parts)) : parts;
            if (totals != null) {
                add(waiting.endNs, waiting.whole);
            }
            waiting.kept = code.kept(waiting.whole);
        }
        if (whollyOnly && waiting.kept.isEmpty()) {
            checkWhole(waiting.whole);
        }
    }

    /**
     * How many packets a group had is not known once it is gone: so its loss cannot be told in
     * rows.
     */
    private void checkWhole(List<Partial> parts) {
        long lost = totals == null ? 0 : totals.groupsLost();
        for (Partial part : parts) {
            part.tables(); // settled, which takes memory too
            lost += part.groupsLost();
        }
        if (lost > 0) {
            throw new WeirException(
                    ErrorCode.OUT_OF_NATIVE_MEMORY,
                    "no native memory to put together " + lost + " of its groups",
                    "let it have fewer groups, or raise the memory limit ("
                            + allocator.limitBytes()
                            + " bytes)");
        }
    }

    private void add(long endNs, List<Partial> changes) {
        if (keeper != null) {
            keeper.changes(endNs, changes);
        }
        changes.forEach(totals::add);
        if (keeper != null) {
            keeper.added(endNs, totals);
        }
    }

    /** Whether it has totals that go on over its windows. */
    public boolean hasTotals() {
        return totals != null;
    }

    /** Who keeps its totals, from now on. */
    public void keep(TotalsKeeper who) {
        keeper = who;
    }

    /** Adds what another had added; the partial stays the caller's. */
    public void resume(Partial changes) {
        totals.add(changes);
    }

    private Partial merged(List<Partial> parts) {
        Partial merged = parts.get(0);
        long bytes = parts.stream().mapToLong(Partial::bytes).sum();
        if (code.query().budget().isPresent() || bytes > stateBytes / 2) {
            // Bounds are for what a pipeline holds: what all of them held must fit together.
            merged = code.newPartial(allocator, allocator.limitBytes());
            code.mergeInto(merged, parts.get(0));
        }
        for (Partial part : parts.subList(1, parts.size())) {
            merged = code.merge(merged, part);
        }
        return merged;
    }

    private static RowContext context(Waiting waiting, Activation member) {
        Losses losses = waiting.losses;
        long lacking = losses.lacking();
        double offered = (double) waiting.processed + lacking;
        double completeness = lacking == 0 ? 1 : waiting.processed / offered;
        Kept kept = waiting.kept.orElse(Kept.ALL);
        return new RowContext(
                losses.lost() + kept.packetsLeftOut(),
                losses.missing(),
                completeness * kept.share(),
                member.activeFromNs(),
                kept.leftOutMost());
    }

    private void taken(Waiting waiting, Activation member) {
        if (waiting.takers.remove(member) && waiting.takers.isEmpty()) {
            windows.remove(waiting.endNs);
            waiting.parts().forEach(Partial::close);
        }
    }

    /** Frees what waits, unseen. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            onEnd.run();
            windows.values().forEach(waiting -> waiting.parts().forEach(Partial::close));
            windows.clear();
            if (totals != null) {
                totals.close();
            }
        }
    }
}
