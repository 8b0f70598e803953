package io.weir.operators.merge;

import io.weir.operators.graph.Window;
import io.weir.operators.graph.WindowEnds;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.kernel.Partial;
import io.weir.operators.result.Departure;
import io.weir.operators.result.Losses;
import io.weir.operators.result.QueryShape;
import io.weir.operators.window.LeftOut;
import io.weir.operators.wire.PartialWriter;
import io.weir.operators.wire.StateForm;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * The end of a worker, or of a shard with a second step behind it, where windows leave: makes
 * parcels of them. Whose results' thread it is, that one calls it, for all queries.
 */
public final class PartialSender {
    /** Where parcels go; each shard's in order. */
    @FunctionalInterface
    public interface Out {
        void send(int shard, Parcel parcel);
    }

    private final Source source;
    private final int blockBytes;
    private final Optional<PacketCounts> counts;

    /** Whether other lives of the source go on in the middle of its packets. */
    private final boolean goesOn;

    private final LongSupplier ran;
    private final Ways ways;

    /** By their names; changed by whoever changes queries, read by the results' thread. */
    private final Map<String, OneQuery> newest = new ConcurrentHashMap<>();

    /** Those that the engine does not have; from here they go with their queries, or come again. */
    private final Map<String, OneQuery> failed = new ConcurrentHashMap<>();

    /**
     * Whose ends are told, too, whatever leaves; the time of a worker, not of a slice, by ticks.
     */
    private final Set<Window> told = ConcurrentHashMap.newKeySet();

    /** Since the last time that was told: activations that go on. */
    private final List<Parcel.Renewed> renewed = new ArrayList<>();

    private boolean hasTold;
    private long sentNs = Long.MIN_VALUE;
    private long passedNs = Long.MIN_VALUE;

    /** When the last was due that has left: some end with their query, not where others do. */
    private long leftNs = Long.MIN_VALUE;

    /**
     * @param shards how many the merge has; the same for all sources
     */
    public PartialSender(Source source, int shards, int blockBytes, Out out) {
        this(source, shards, blockBytes, out, Optional.empty(), () -> 0);
    }

    /**
     * @param counts where packets are counted by their times; else by when they ran
     * @param ran how many packets queries were given so far, lost ones too: what one lacks that has
     *     ended
     */
    public PartialSender(
            Source source,
            int shards,
            int blockBytes,
            Out out,
            Optional<PacketCounts> counts,
            LongSupplier ran) {
        this.counts = counts;
        goesOn = counts.filter(PacketCounts::goesOn).isPresent();
        this.ran = ran;
        this.source = source;
        this.blockBytes = blockBytes;
        ways = new Ways(shards, out);
    }

    /** The last window of an activation, and how many packets had run when it left. */
    private record Left(long endNs, long ran) {}

    private final class OneQuery implements Departure, EndedQuery.Out {
        private final CompiledQuery code;
        private final StateForm form;
        private final long version;
        private final boolean counted;
        private final boolean wantsTable;
        private final int home;
        private final Map<CompiledQuery, PartialWriter> writers = new HashMap<>();
        private final Map<ActivationId, Long> before = new HashMap<>();
        private final Optional<ExactSpans> exact;
        private final String name;
        private final Window emission;
        private final long ranBefore = ran.getAsLong();

        private final Map<ActivationId, Left> last = new HashMap<>();

        /** When the latest activation began whose windows have left. */
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
            form = StateForm.of(code);
            this.version = version;
            this.counted = counted;
            home = ways.home(name);
        }

        @Override
        public boolean wantsTable() {
            return wantsTable;
        }

        @Override
        public void window(Departing from, List<Partial> parts, Span counted) {
            // It is there again, unless that is a version after this one.
            failed.computeIfPresent(name, (n, other) -> other.version > version ? other : null);
            leave(from, parts, counted);
            last.put(id(from), new Left(counted.endNs(), ran.getAsLong()));
            latestNs = Math.max(latestNs, from.fromNs());
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
            Span span = told.span();
            int[] blocks = new int[ways.shards()];
            LeftOut.Told leftOut = Partial.leftOut(parts);
            writer(from.over())
                    .write(
                            parts,
                            (shard, bytes) -> {
                                blocks[shard]++;
                                ways.send(
                                        shard,
                                        (s, sequence) ->
                                                new Parcel.Block(
                                                        source, sequence, id, span.endNs(), bytes));
                            });
            each(
                    (shard, sequence) ->
                            new Parcel.WindowEnd(
                                    source,
                                    sequence,
                                    id,
                                    new Parcel.Window(
                                            span.startNs(),
                                            span.endNs(),
                                            from.untilNs(),
                                            from.activeFromNs(),
                                            span.losses(),
                                            span.processed(),
                                            told.before(),
                                            blocks[shard],
                                            goesOn,
                                            shard == home ? leftOut : leftOut.withoutPackets(),
                                            told.ledger(),
                                            told.earlier())));
            left(Math.min(span.endNs(), from.untilNs()));
        }

        private PartialWriter writer(CompiledQuery over) {
            return writers.computeIfAbsent(
                    over,
                    code ->
                            counted
                                    ? PartialWriter.counted(form, ways.shards(), home, blockBytes)
                                    : PartialWriter.of(
                                            form, code, ways.shards(), home, blockBytes));
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
                // One that was tried again goes on where it was.
                failed.merge(name, this, (known, again) -> known.version < version ? again : known);
            }
        }

        private UnsentWindows unsent(Departing from) {
            long now = ran.getAsLong();
            Left none = new Left(passedNs, from.fromNs() == Long.MIN_VALUE ? ranBefore : now);
            Left left = last.getOrDefault(id(from), none);
            long toNs = Math.max(left.endNs(), passedNs);
            // One at least is lost: for it, or another, there was no room.
            return new UnsentWindows(from, emission, toNs, Math.min(left.ran(), now - 1));
        }

        /** There is another version: no window lacks it but those that were open. */
        private void cut(Departing from) {
            unsent(from).passed(Long.MAX_VALUE, now(), this::lost);
            ended(from);
        }

        /** What is read as fast as it can be has passed many windows when it comes to its end. */
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
            renewed.add(new Parcel.Renewed(id(from), from.untilNs()));
        }

        @Override
        public void ended(Departing from) {
            ActivationId id = id(from);
            before.remove(id);
            last.remove(id);
            latestNs = Math.max(latestNs, from.fromNs());
            exact.ifPresent(spans -> spans.ended(id));
            each((shard, sequence) -> new Parcel.Ended(source, sequence, id, from.untilNs()));
            left(from.untilNs());
        }

        private ActivationId id(Departing from) {
            String query = from.over().query().name();
            return new ActivationId(query, version, from.fromNs(), from.output());
        }

        /** To all shards that the query has. */
        private void each(Ways.Made parcel) {
            if (form.isSharded()) {
                ways.sendAll(parcel);
            } else {
                ways.send(home, parcel);
            }
        }
    }

    /**
     * Where the windows of a query's version go. The source's time is told at each tick at least:
     * that of others may be told as often, and whoever says nothing meanwhile is given up.
     */
    public Departure departure(CompiledQuery code, long version) {
        if (!goesOn) {
            told.add(
                    Window.tumble(QueryShape.TICK_NS)); // another life goes on where a window ended
        }
        return leaving(code, version, false, false);
    }

    /** As {@link #departure}, of windows that are merged: sets stay behind. */
    public Departure merged(CompiledQuery code, long version) {
        return merged(code, version, false);
    }

    /**
     * The same.
     *
     * @param asTable whether totals are read as a table there
     */
    public Departure merged(CompiledQuery code, long version, boolean asTable) {
        return leaving(code, version, true, asTable);
    }

    private Departure leaving(CompiledQuery code, long version, boolean merged, boolean asTable) {
        Window emission = QueryShape.emission(code.query());
        String name = code.query().name();
        OneQuery made = new OneQuery(code, version, merged, asTable, emission);
        newest.put(name, made);
        failed.computeIfPresent(name, (n, other) -> other.version == version ? other : null);
        return made;
    }

    /** The query is no more; nobody waits for the ends of its windows. */
    public void forget(String query) {
        newest.remove(query);
        failed.remove(query);
    }

    /**
     * A query is awake elsewhere from then on, and until then as far as is known now: where the
     * engine does not have it, its windows lack what is here. What was said before changes nothing.
     * The results' thread.
     */
    public void woken(String query, long version, long fromNs, long untilNs) {
        OneQuery lacking = failed.get(query);
        if (lacking != null && lacking.version == version) {
            lacking.ended.woken(fromNs, untilNs, passedNs, ran.getAsLong());
        }
    }

    /** Whether there is a query whose windows leave; any thread. */
    public boolean sends() {
        return !newest.isEmpty();
    }

    /**
     * Tells all shards of this source, if it has a query whose windows leave. Before the first of
     * these counts: what the others send after that is not final without it.
     */
    public void begin() {
        if (sends()) {
            tell(Long.MIN_VALUE, Parcel.Passed.UNTOLD);
        }
    }

    /**
     * All windows that end at or before this time have left. What the shards are told of it is the
     * last end of a window, or of a tick, so that who is a moment further in the same one is not
     * ahead of the others. Another time after the end of all says that it goes on.
     */
    public void passed(long watermarkNs) {
        passed(watermarkNs, Parcel.Passed.UNTOLD);
    }

    /**
     * The same of a shard.
     *
     * @param heard told with the end of all
     */
    void passed(long watermarkNs, long heard) {
        failed.values().forEach(query -> query.lacks(watermarkNs));
        passedNs = watermarkNs;
        long endNs = lastEndNs(watermarkNs);
        if (watermarkNs == Long.MAX_VALUE) {
            if (sentNs != Long.MAX_VALUE || heard != Parcel.Passed.UNTOLD) {
                tell(watermarkNs, heard);
            }
        } else if (sentNs == Long.MAX_VALUE) {
            tell(endNs == Long.MIN_VALUE ? watermarkNs : endNs, Parcel.Passed.UNTOLD);
        } else if (endNs > sentNs) {
            tell(endNs, Parcel.Passed.UNTOLD);
        }
    }

    /**
     * Ends of these windows are told, too, from those on that have passed: packets elsewhere wait
     * for it. The results' thread.
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
        List<Parcel.Renewed> all = List.copyOf(renewed);
        renewed.clear();
        ways.sendAll(
                (shard, sequence) -> new Parcel.Passed(source, sequence, passedNs, heard, all));
    }
}
