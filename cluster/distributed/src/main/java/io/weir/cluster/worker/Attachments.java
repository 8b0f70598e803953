package io.weir.cluster.worker;

import io.weir.cluster.catalog.Dependencies;
import io.weir.cluster.kafka.catalog.CatalogState;
import io.weir.cluster.kafka.catalog.Definition;
import io.weir.cluster.merge.PartialRouting;
import io.weir.cluster.placement.ClusterPlacement;
import io.weir.cluster.protocol.RowsPlace;
import io.weir.cluster.wire.QueryState.State;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.SubQueryNames;
import io.weir.operators.graph.When;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The catalogue's queries on this worker. It follows the catalogue: adds, replaces and drops
 * queries that have changed. A query that cannot run here is reported with the reason, and the
 * others go on. One thread at a time; {@link #standing}, {@link #offset} and {@link #failed} are
 * for any.
 */
final class Attachments {
    private final Set<String> nodes;
    private final boolean sole;
    private final WorkerEngine engine;
    private final ConditionWatches watches;

    /** The queries in the engine, each after those that it needs. */
    private final Map<String, Running> attached =
            Collections.synchronizedMap(new LinkedHashMap<>());

    /** The queries that the engine has ended by itself. */
    private final Map<String, Ended> ended = new ConcurrentHashMap<>();

    /** The last windows of replaced queries that made no rows, with the reason. */
    private final Map<String, LastWindows> lost = new ConcurrentHashMap<>();

    private volatile List<Standing> standing = List.of();
    private volatile long offset;
    private long generations;
    private boolean waits;

    /**
     * The state of a query here.
     *
     * @param about the reason if it does not run; otherwise the losses when it was replaced
     */
    record Standing(String name, long version, State state, String about) {
        private Standing with(LastWindows lost) {
            boolean says = lost != null && about.isEmpty();
            return says ? new Standing(name, version, state, lost.text()) : this;
        }
    }

    private record Ended(Query query, Standing standing) {
        /** Returns null if another version has ended, even one with the same text. */
        @SuppressWarnings("ReferenceEquality")
        private Ended of(Definition definition) {
            return query == definition.query()
                    ? new Ended(query, state(definition, State.FAILED, standing.about()))
                    : null;
        }
    }

    /**
     * Windows of replaced versions that made no rows.
     *
     * @param packets as far as they are known
     */
    private record LastWindows(long packets, String why) {
        LastWindows plus(LastWindows next) {
            return new LastWindows(packets + next.packets, next.why);
        }

        String text() {
            String with = packets == 0 ? "" : ", with " + packets + " packets,";
            return "last windows of the version before" + with + " were not made: " + why;
        }
    }

    /**
     * A query in the engine.
     *
     * @param sql of a version: a catalogue that begins again repeats its numbers
     * @param generation differs if it was dropped meanwhile
     * @param needs the queries that must be in the engine as long as it is
     */
    private record Running(
            long version, String sql, RowsWay way, long generation, Set<String> needs) {}

    Attachments(WorkerSettings settings, WorkerEngine engine, ConditionWatches watches) {
        this.nodes = settings.nodes();
        this.sole = settings.sole();
        this.engine = engine;
        this.watches = watches;
    }

    List<Standing> standing() {
        return standing.stream()
                .map(s -> now(s.name()).orElse(s).with(lost.get(s.name())))
                .toList();
    }

    private Optional<Standing> now(String name) {
        return Optional.ofNullable(ended.get(name)).map(Ended::standing);
    }

    /** Returns how far the catalogue was followed. */
    long offset() {
        return offset;
    }

    /**
     * Returns whether a query waits for something other than the catalogue, for example for a
     * registry.
     */
    boolean waits() {
        return waits;
    }

    void follow(CatalogState state) {
        waits = false;
        engine.tables().follow(state.tables().values());
        dropWhatIsGone(state, false);
        ClusterPlacement placement = new ClusterPlacement(state, state.slicedNodes());
        PartialRouting leaving = new PartialRouting(state);
        List<Standing> now = new ArrayList<>();
        for (Definition definition : state.definitions().values()) {
            now.add(standing(definition, placement.where(definition.query()), leaving));
        }
        dropWhatIsGone(state, true);
        watch(state, placement);
        engine.follow(leaving);
        standing = List.copyOf(now);
        offset = state.offset();
    }

    /**
     * @param subQueries whether sub-queries are dropped too. The version that read them must have
     *     been replaced before
     */
    private void dropWhatIsGone(CatalogState state, boolean subQueries) {
        lost.keySet().retainAll(state.definitions().keySet());
        for (String name : List.copyOf(ended.keySet())) {
            if (isGone(name, state, subQueries)) {
                forget(name);
            }
        }
        List<String> names = new ArrayList<>(attached.keySet());
        Collections.reverse(names);
        for (String name : names) {
            if (isGone(name, state, subQueries)) {
                drop(name);
            }
        }
        for (Standing before : standing) {
            if (isGone(before.name(), state, subQueries)) {
                engine.forget(before.name()); // it could not be attached
            }
        }
    }

    private static boolean isGone(String name, CatalogState state, boolean subQueries) {
        return !state.definitions().containsKey(name) && (subQueries || !SubQueryNames.isOne(name));
    }

    /** Removes a query that the engine has ended. */
    private void forget(String name) {
        ended.remove(name);
        attached.remove(name);
        engine.forget(name);
    }

    private Standing standing(
            Definition definition, ClusterPlacement.Where where, PartialRouting leaving) {
        String name = definition.name();
        Optional<Standing> end = now(name);
        if (end.isPresent()) {
            attached.remove(name);
            if (end.get().version() == definition.version()) {
                return end.get();
            }
            dropWhatNeeds(name); // its upstream no longer exists
            forget(name);
        }
        return attached(definition, where, way(definition.query(), leaving));
    }

    private Standing attached(Definition definition, ClusterPlacement.Where where, RowsWay way) {
        String name = definition.name();
        Running before = attached.get(name);
        Optional<WeirException> lack = engine.lack(definition.query());
        if (lack.isEmpty()
                && before != null
                && before.version() == definition.version()
                && before.sql().equals(definition.query().sql())
                && before.way().equals(way)) {
            return state(definition, State.RUNNING, "");
        }
        try {
            Optional<Standing> absent = absent(definition, where, way);
            if (absent.isPresent()) {
                drop(name);
                return absent.get();
            }
            waits |= lack.isPresent();
            Optional<Standing> known = lack.map(why -> failed(definition, why));
            if (known.filter(standing::contains).isPresent()) {
                return known.get(); // the merge knows it
            }
            attach(definition, way, before);
            return state(definition, State.RUNNING, "");
        } catch (WeirException e) {
            refused(name, e);
            return failed(definition, e);
        }
    }

    private static Standing failed(Definition definition, WeirException why) {
        return state(definition, State.FAILED, why.text().replace('\n', ' '));
    }

    /** The earlier version has ended too. */
    private void refused(String name, WeirException why) {
        if (why.code() == ErrorCode.UNWRITABLE_OUTPUT) {
            waits = true;
        } else {
            dropWhatNeeds(name);
            attached.remove(name);
        }
    }

    private static Standing state(Definition definition, State state, String about) {
        return new Standing(definition.name(), definition.version(), state, about);
    }

    private RowsWay way(Query query, PartialRouting leaving) {
        RowsPlace made = sole ? RowsPlace.ON_WORKERS : leaving.made(query);
        boolean woken =
                query.when()
                        .filter(when -> !when.upstreams().stream().allMatch(this::makesRows))
                        .isPresent();
        return new RowsWay(made, leaving.isRead(query), woken);
    }

    /** Returns whether the rows of a query are made here. */
    private boolean makesRows(String query) {
        Running running = attached.get(query);
        return running != null && !running.way().leaves();
    }

    /** Returns the reason why it does not run here, if it does not. */
    private Optional<Standing> absent(
            Definition definition, ClusterPlacement.Where where, RowsWay way) {
        Query query = definition.query();
        if (!where.isOn(nodes)) {
            String about = "runs on " + String.join(", ", where.nodes().orElseThrow());
            return Optional.of(state(definition, State.ELSEWHERE, about));
        } else if (query.reads().isOfQuery() && way.leaves()) {
            return Optional.of(
                    state(
                            definition,
                            State.ELSEWHERE,
                            "its rows are made where workers' are merged"));
        }
        return query.scan().queries().stream()
                .filter(read -> !makesRows(read))
                .map(read -> "needs " + read + ", which does not run here")
                .map(about -> state(definition, State.FAILED, about))
                .findFirst();
    }

    private void attach(Definition definition, RowsWay way, Running before) {
        String name = definition.name();
        boolean alters = !way.woken() || definition.paused();
        boolean replaces = before != null && before.way().equals(way) && alters;
        if (before != null && !replaces) {
            drop(name);
            ended.remove(name);
        }
        lost.remove(name);
        engine.attach(definition, way, replaces);
        long generation = replaces ? before.generation() : ++generations;
        Set<String> needs = new HashSet<>(Dependencies.of(definition.query()));
        if (way.woken()) {
            definition.query().when().ifPresent(when -> needs.removeAll(when.upstreams()));
        }
        attached.put(
                name,
                new Running(
                        definition.version(), definition.query().sql(), way, generation, needs));
        // The ended query can be the earlier version, or this one already.
        ended.computeIfPresent(name, (n, end) -> end.of(definition));
    }

    /** Drops a query with those that need it. They come again after it if they are still wanted. */
    private void drop(String name) {
        if (!attached.containsKey(name)) {
            engine.forget(name);
            return;
        }
        dropWhatNeeds(name);
        engine.drop(name);
        attached.remove(name);
    }

    private void dropWhatNeeds(String name) {
        for (String other : List.copyOf(attached.keySet())) {
            Running running = attached.get(other);
            if (running != null && running.needs().contains(name)) {
                drop(other);
            }
        }
    }

    /**
     * Tests rows made here for conditions of queries that run elsewhere. Servers list the bindings
     * of those that run here alone.
     */
    private void watch(CatalogState state, ClusterPlacement placement) {
        Set<String> counting = new HashSet<>(state.definitions().keySet());
        counting.removeIf(name -> state.definitions().get(name).paused());
        watches.retain(counting);
        for (Definition definition : state.definitions().values()) {
            Optional<When> when = definition.query().when();
            boolean elsewhere = placement.where(definition.query()).isBeyond(nodes) && !sole;
            if (when.isPresent()
                    && !definition.paused()
                    && when.get().upstreams().stream().allMatch(this::makesRows)
                    && (elsewhere || when.get().correlation().isPresent())) {
                watches.watch(definition, generations(when.get().upstreams()));
            }
        }
    }

    private List<Long> generations(List<String> queries) {
        return queries.stream().map(name -> attached.get(name).generation()).toList();
    }

    /** Notes that the engine has ended a query by itself. Any thread. */
    void failed(Query query, WeirException failure) {
        String name = query.name();
        Running running = attached.get(name);
        long version = running == null ? 0 : running.version();
        Standing end = new Standing(name, version, State.FAILED, failure.getMessage());
        ended.put(name, new Ended(query, end));
    }

    /** Notes that open windows of a replaced version had no memory. Any thread. */
    void lost(Query query, long packets, WeirException cause) {
        LastWindows windows = new LastWindows(packets, cause.getMessage());
        lost.merge(query.name(), windows, LastWindows::plus);
    }
}
