package io.weir.cluster.protocol;

import io.weir.operators.graph.Window;
import io.weir.operators.graph.WindowEnds;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.kernel.Partial;
import io.weir.operators.result.Losses;
import io.weir.operators.result.PartialExporter;
import io.weir.operators.result.QueryShape;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Makes messages of the windows that leave. It is the end of a worker, or of a shard before a
 * second step. Its owner's results' thread calls it, for all queries.
 */
public final class PartialSender {
    private final WorkerEpoch source;
    private final WindowMessages.Route route;
    private final Optional<PacketCounts> counts;

    /** True if other processes of the source go on in the middle of its packets. */
    private final boolean goesOn;

    private final LongSupplier ran;
    private final ShardRoutes ways;

    /**
     * The newest queries by name. The thread that changes queries writes, the results' thread
     * reads.
     */
    private final Map<String, OneQuery> newest = new ConcurrentHashMap<>();

    /**
     * Queries that the engine does not have. They are removed with their queries, or when they come
     * again.
     */
    private final Map<String, OneQuery> failed = new ConcurrentHashMap<>();

    /** Numbers the exporters, in the order in which they are made. */
    private final AtomicLong numbers = new AtomicLong();

    /**
     * Windows whose ends are always reported: the ticks for a worker's time, but not for a slice's.
     */
    private final Set<Window> told = ConcurrentHashMap.newKeySet();

    /** Activations that go on, since the last report. */
    private final List<MergeMessage.Renewed> renewed = new ArrayList<>();

    private boolean hasTold;
    private long sentNs = Long.MIN_VALUE;
    private long passedNs = Long.MIN_VALUE;

    /**
     * The due time of the last window that has left: some end with their query, not where others
     * do.
     */
    private long leftNs = Long.MIN_VALUE;

    /**
     * @param shards the merge's number of shards; the same for all sources
     */
    public PartialSender(WorkerEpoch source, int shards, int blockBytes, MessageOutput out) {
        this(source, shards, blockBytes, out, Optional.empty(), () -> 0);
    }

    /**
     * @param counts counts packets by their times; without it, by when they ran
     * @param ran how many packets queries were given so far, lost ones too; an ended query lacks
     *     those since its end
     */
    public PartialSender(
            WorkerEpoch source,
            int shards,
            int blockBytes,
            MessageOutput out,
            Optional<PacketCounts> counts,
            LongSupplier ran) {
        this.counts = counts;
        goesOn = counts.filter(PacketCounts::goesOn).isPresent();
        this.ran = ran;
        this.source = source;
        ways = new ShardRoutes(shards, out);
        route = new WindowMessages.Route(source, ways, blockBytes, goesOn);
    }

    /** The last window of an activation, and how many packets had run when it left. */
    private record Left(long endNs, long ran) {}

    private final class OneQuery implements PartialExporter, EndedQuery.Out {
        private final CompiledQuery code;
        private final WindowMessages messages;
        private final long version;
        private final long number = numbers.incrementAndGet();
        private final boolean wantsTable;
        private final Map<ActivationId, Long> before = new HashMap<>();
        private final Optional<ExactSpans> exact;
        private final String name;
        private final Window emission;
        private final long ranBefore = ran.getAsLong();

        private final Map<ActivationId, Left> last = new HashMap<>();

        /** The begin of the latest activation whose windows have left. */
        private long latestNs = Long.MIN_VALUE;

        private EndedQuery ended;

        OneQuery(
                CompiledQuery code,
                long version,
                boolean counted,
                boolean wantsTable,
                Window emission) {
            this.code = code;
            this.wantsTable = wantsTable;
            name = code.query().name();
            this.emission = emission;
            boolean windowed = code.query().aggregate().flatMap(a -> a.window()).isPresent();
            exact =
                    counts.map(
                            packets -> new ExactSpans(packets, emission, windowed, ranBefore > 0));
            messages = new WindowMessages(route, code, counted);
            this.version = version;
        }

        @Override
        public boolean wantsTable() {
            return wantsTable;
        }

        @Override
        public void window(Departing from, List<Partial> parts, Span counted) {
            failed.computeIfPresent(name, (n, other) -> other.isAfter(this) ? other : null);
            leave(from, parts, counted);
            last.put(id(from), new Left(counted.endNs(), ran.getAsLong()));
            latestNs = Math.max(latestNs, from.fromNs());
        }

        /** The last windows of one that has ended do not mean that it exists again. */
        private boolean isAfter(OneQuery other) {
            return version > other.version || version == other.version && number > other.number;
        }

        private void leave(Departing from, List<Partial> parts, Span counted) {
            ActivationId id = id(from);
            if (exact.isPresent()) {
                ExactSpans.Exact told = exact.get().of(id, from, counted);
                Span span = told.span();
                Losses losses = span.losses();
                if (!parts.isEmpty() || losses.lost() + losses.late() + span.processed() > 0) {
                    send(id, from, parts, told);
                }
            } else {
                long sent = before.getOrDefault(id, 0L);
                before.put(id, sent + counted.losses().lacking() + counted.processed());
                long none = PacketCounts.NO_LEDGER;
                send(id, from, parts, new ExactSpans.Exact(counted, sent, none, 0));
            }
        }

        private void send(
                ActivationId id, Departing from, List<Partial> parts, ExactSpans.Exact told) {
            messages.window(id, from, parts, told);
            left(Math.min(told.span().endNs(), from.untilNs()));
        }

        @Override
        public void failed(List<Departing> activations) {
            OneQuery now = newest.get(name);
            if (now != null && now.version > version) {
                activations.forEach(this::cut);
            } else if (now != null) {
                ended = new EndedQuery(code, emission, latestNs);
                activations.forEach(from -> ended.add(unsent(from)));
                if (activations.isEmpty() && code.query().when().isEmpty()) {
                    Departing from = EndedQuery.always(code, passedNs);
                    ended.add(new UnsentWindows(from, emission, passedNs, ranBefore));
                }
                // A query that was tried again continues where it was.
                failed.merge(name, this, (known, again) -> known.version < version ? again : known);
            }
        }

        private UnsentWindows unsent(Departing from) {
            long now = ran.getAsLong();
            Left none = new Left(passedNs, from.fromNs() == Long.MIN_VALUE ? ranBefore : now);
            Left left = last.getOrDefault(id(from), none);
            long toNs = Math.max(left.endNs(), passedNs);
            // At least one is lost: there was no room for it, or for another.
            return new UnsentWindows(from, emission, toNs, Math.min(left.ran(), now - 1));
        }

        /** Another version exists, so only the open windows lack this one. */
        private void cut(Departing from) {
            unsent(from).passed(Long.MAX_VALUE, now(), this::lost);
            ended(from);
        }

        /** An input that is read at full speed has passed many windows when it ends. */
        private void lacks(long watermarkNs) {
            if (watermarkNs == Long.MAX_VALUE && counts.isPresent()) {
                ended.passed(counts.get().afterAllNs(), now(), this);
            }
            ended.passed(watermarkNs, now(), this);
        }

        private long now() {
            return exact.isPresent() ? Long.MAX_VALUE : ran.getAsLong();
        }

        @Override
        public void lost(Departing from, long startNs, long endNs, long packets) {
            Losses all = Losses.of(exact.isPresent() ? ExactSpans.ALL : packets);
            leave(from, List.of(), new Span(startNs, endNs, all, 0));
        }

        @Override
        public void renewed(Departing from) {
            renewed.add(new MergeMessage.Renewed(id(from), from.untilNs()));
        }

        @Override
        public void ended(Departing from) {
            ActivationId id = id(from);
            before.remove(id);
            last.remove(id);
            latestNs = Math.max(latestNs, from.fromNs());
            exact.ifPresent(spans -> spans.ended(id));
            messages.ended(id, from.untilNs());
            left(from.untilNs());
        }

        private ActivationId id(Departing from) {
            String query = from.over().query().name();
            return new ActivationId(query, version, from.fromNs(), from.output());
        }
    }

    /**
     * Returns the receiver of the windows of a query's version. The source's time is reported at
     * least at each tick. Other sources may report as often, and a silent one would be given up.
     */
    public PartialExporter exporter(CompiledQuery code, long version) {
        if (!goesOn) {
            told.add(
                    Window.tumble(
                            QueryShape.TICK_NS)); // another process continues where a window ended
        }
        return leaving(code, version, false, false);
    }

    /** Does the same as {@link #exporter} for windows that are merged: their sets stay here. */
    public PartialExporter merged(CompiledQuery code, long version) {
        return merged(code, version, false);
    }

    /**
     * Does the same for tables.
     *
     * @param asTable whether totals are read as a table there
     */
    public PartialExporter merged(CompiledQuery code, long version, boolean asTable) {
        return leaving(code, version, true, asTable);
    }

    private PartialExporter leaving(
            CompiledQuery code, long version, boolean merged, boolean asTable) {
        Window emission = QueryShape.emission(code.query());
        String name = code.query().name();
        OneQuery made = new OneQuery(code, version, merged, asTable, emission);
        newest.put(name, made);
        failed.computeIfPresent(name, (n, other) -> other.version == version ? other : null);
        return made;
    }

    /** Removes a query. Nobody waits for the ends of its windows. */
    public void forget(String query) {
        newest.remove(query);
        failed.remove(query);
    }

    /**
     * Notes that a query is awake elsewhere from {@code fromNs}, until {@code untilNs} as far as is
     * known now. If the engine does not have it, its windows lack this process. A repeated call
     * changes nothing. The results' thread.
     */
    public void woken(String query, long version, long fromNs, long untilNs) {
        OneQuery lacking = failed.get(query);
        if (lacking != null && lacking.version == version) {
            lacking.ended.woken(fromNs, untilNs, passedNs, ran.getAsLong());
        }
    }

    /** Returns whether there is a query whose windows leave; any thread. */
    public boolean sends() {
        return !newest.isEmpty();
    }

    /**
     * Reports the begin of this source to all shards, if it has a query whose windows leave. It
     * comes before the first of these counts. Later windows of other sources are then not final
     * without it.
     */
    public void begin() {
        if (sends()) {
            tell(Long.MIN_VALUE, MergeMessage.Passed.UNTOLD);
        }
    }

    /**
     * Reports that all windows that end at or before this time have left. The shards get the last
     * end of a window, or of a tick. So a source that is a moment further in the same window is not
     * ahead of the others. Another time after the end of all means that it goes on.
     */
    public void passed(long watermarkNs) {
        passed(watermarkNs, MergeMessage.Passed.UNTOLD);
    }

    /**
     * Reports the same for a shard.
     *
     * @param heard reported with the end of all
     */
    void passed(long watermarkNs, long heard) {
        failed.values().forEach(query -> query.lacks(watermarkNs));
        passedNs = watermarkNs;
        long endNs = lastEndNs(watermarkNs);
        if (watermarkNs == Long.MAX_VALUE) {
            if (sentNs != Long.MAX_VALUE || heard != MergeMessage.Passed.UNTOLD) {
                tell(watermarkNs, heard);
            }
        } else if (sentNs == Long.MAX_VALUE) {
            tell(endNs == Long.MIN_VALUE ? watermarkNs : endNs, MergeMessage.Passed.UNTOLD);
        } else if (endNs > sentNs) {
            tell(endNs, MergeMessage.Passed.UNTOLD);
        }
    }

    /**
     * Reports ends of these windows too, from those on that have passed, because packets elsewhere
     * wait for them. The results' thread.
     */
    public void tell(Collection<Window> windows) {
        if (told.addAll(windows) && sentNs != Long.MAX_VALUE) {
            passed(passedNs);
        }
    }

    private long lastEndNs(long watermarkNs) {
        if (watermarkNs == Long.MAX_VALUE) {
            return watermarkNs;
        }
        long last = Math.min(leftNs, watermarkNs);
        for (OneQuery query : newest.values()) {
            last = Math.max(last, WindowEnds.last(query.emission, watermarkNs));
        }
        // A source that has begun is waited for, whatever queries it has now.
        for (Window window : sends() || hasTold ? told : Set.<Window>of()) {
            last = Math.max(last, WindowEnds.last(window, watermarkNs));
        }
        return last;
    }

    private void left(long dueNs) {
        if (dueNs != Long.MAX_VALUE) {
            leftNs = Math.max(leftNs, dueNs);
        }
    }

    private void tell(long passedNs, long heard) {
        hasTold = true;
        sentNs = passedNs;
        List<MergeMessage.Renewed> all = List.copyOf(renewed);
        renewed.clear();
        ways.sendAll(
                (shard, sequence) ->
                        new MergeMessage.Passed(source, sequence, passedNs, heard, all));
    }
}
