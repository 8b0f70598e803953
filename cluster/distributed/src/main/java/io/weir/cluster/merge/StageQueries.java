package io.weir.cluster.merge;

import io.weir.cluster.catalog.Dependencies;
import io.weir.cluster.kafka.catalog.CatalogState;
import io.weir.cluster.kafka.catalog.Definition;
import io.weir.cluster.protocol.MergeStage;
import io.weir.cluster.protocol.RowsPlace;
import io.weir.operators.graph.Query;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The queries of the catalogue in one stage. It adds, moves and drops queries when the catalogue
 * changes. A replaced version stays until the next one comes, for its windows on the way. A version
 * whose windows no longer come here stays too, because workers now make its rows. The stream's
 * thread.
 */
final class StageQueries {
    /** Puts queries into a stage. */
    interface Adding {
        /** Adds a query over packets, whose windows come here if the place says so. */
        void add(Definition definition, Place place);

        /** Moves an added version: its rows are made elsewhere from its next window on. */
        void move(Definition definition, Place place);

        /**
         * Adds a query over rows, whose rows are made after the shards.
         *
         * @param older whether it reads the rows of older versions too
         */
        void addRows(Definition definition, boolean older);

        /** Adds a condition over merged rows, in the same way. */
        void addWaker(Definition definition, boolean older);

        void removeWaker(String query);
    }

    private final MergeStage stage;
    private final Adding adding;
    private final CompiledQueries codes;
    private final KeptVersions kept;
    private final boolean second;
    private final Map<String, TreeMap<Long, Place>> versions = new LinkedHashMap<>();
    private final Map<String, Placed> seen = new HashMap<>();
    private final LackingTables lacking = new LackingTables();
    private CatalogState known;

    /** The queries of the catalogue that wait for the files of tables. */
    private Set<String> waiting = Set.of();

    /**
     * A version of a query and its place. Other queries of the catalogue can change the place.
     *
     * @param wakes whether it waits for rows that are made after the shards
     */
    private record Placed(long version, Place place, boolean wakes) {
        boolean isMerged() {
            return place.made() != RowsPlace.ON_WORKERS;
        }
    }

    /**
     * The place where the rows of a merged version are made, or were made when it was last merged.
     *
     * @param asTable whether its totals are read as a table
     */
    record Place(RowsPlace made, boolean isRead, boolean asTable) {}

    /**
     * @param second whether it sees all shards
     */
    StageQueries(
            MergeStage stage,
            CompiledQueries codes,
            KeptVersions kept,
            boolean second,
            Adding adding) {
        this.stage = stage;
        this.codes = codes;
        this.kept = kept;
        this.second = second;
        this.adding = adding;
    }

    /** Restores the stored versions before the catalogue is followed, which has only the latest. */
    void restore() {
        for (KeptVersions.Kept version : kept.all(stage.restoring()::restore)) {
            Definition definition = version.definition();
            // The catalogue says later whether it is read as a table.
            Place place = new Place(version.made(), version.isRead(), false);
            versions.computeIfAbsent(definition.name(), n -> new TreeMap<>())
                    .put(definition.version(), place);
            adding.add(definition, place);
        }
    }

    void follow(CatalogState state) {
        Set<String> lack = lacking.of(state);
        if (state == known && lack.equals(waiting)) {
            return;
        }
        known = state;
        waiting = lack;
        List<Definition> there =
                state.definitions().values().stream()
                        .filter(definition -> !lack.contains(definition.name()))
                        .toList();
        Set<String> names = new LinkedHashSet<>(seen.keySet());
        names.addAll(versions.keySet());
        there.forEach(definition -> names.remove(definition.name()));
        names.stream().filter(this::isGone).forEach(this::drop);
        PartialRouting leaving = new PartialRouting(state);
        for (Definition definition : there) {
            Placed now = placed(definition, leaving);
            Placed before = seen.put(definition.name(), now);
            if (before == null || before.version() != now.version()) {
                add(definition, before, now);
            } else if (!before.equals(now)) {
                move(definition, before, now);
            }
        }
    }

    /** A predecessor may have read the catalogue further. */
    private boolean isGone(String name) {
        return seen.containsKey(name) || versions.get(name).lastKey() < known.offset();
    }

    private static Placed placed(Definition definition, PartialRouting leaving) {
        Query query = definition.query();
        boolean wakes =
                !definition.paused()
                        && query.when().filter(w -> !leaving.isTestedOnWorkers(w)).isPresent();
        Place place =
                new Place(leaving.made(query), leaving.isRead(query), leaving.isReadAsTable(query));
        return new Placed(definition.version(), place, wakes);
    }

    private void add(Definition definition, Placed before, Placed now) {
        if (before != null) {
            adding.removeWaker(definition.name());
            stage.dropRows(definition.name());
        }
        if (now.isMerged() && definition.query().reads().isSpread()) {
            addVersion(definition, now);
        } else if (now.isMerged()) {
            adding.addRows(definition, readsOlder(definition));
        }
        if (now.wakes()) {
            adding.addWaker(definition, readsOlder(definition));
        }
    }

    /** Returns whether the query's upstream was replaced during its life. */
    private boolean readsOlder(Definition definition) {
        return Dependencies.of(definition.query()).stream()
                .anyMatch(name -> known.definitions().get(name).version() > definition.version());
    }

    private void addVersion(Definition definition, Placed now) {
        String name = definition.name();
        TreeMap<Long, Place> all = versions.computeIfAbsent(name, n -> new TreeMap<>());
        Place place = now.place();
        Place before = all.get(definition.version());
        if (before == null) {
            while (all.size() > 1) {
                forget(name, all.pollFirstEntry().getKey());
            }
            adding.add(definition, place);
        } else if (!before.equals(place)) {
            adding.move(definition, place);
        }
        all.put(definition.version(), place);
        // Windows of a query that was moved to the shards still wait in the second step.
        if (!second || place.made() == RowsPlace.AFTER_SHARDS) {
            kept.put(definition, place.made(), place.isRead(), known);
        }
    }

    private void move(Definition definition, Placed before, Placed now) {
        String name = definition.name();
        if (before.wakes() && !now.wakes()) {
            adding.removeWaker(name);
        }
        if (!definition.query().reads().isSpread()) {
            if (now.isMerged() && !before.isMerged()) {
                adding.addRows(definition, readsOlder(definition));
            } else if (!now.isMerged()) {
                stage.dropRows(name);
            }
        } else if (now.isMerged()) {
            addVersion(definition, now);
        }
        if (now.wakes() && !before.wakes()) {
            adding.addWaker(definition, readsOlder(definition));
        }
    }

    /**
     * Returns whether windows of this version can come, now or once the catalogue was read further.
     */
    boolean mayKnow(String name, long version) {
        Placed placed = seen.get(name);
        return stage.knows(name, version)
                || known == null
                || known.offset() <= version
                || placed != null && placed.version() == version;
    }

    private void drop(String name) {
        adding.removeWaker(name);
        stage.dropRows(name);
        stage.dropAll(name);
        TreeMap<Long, Place> all = versions.remove(name);
        if (all != null) {
            all.keySet().forEach(version -> codes.forget(name, version));
        }
        kept.forget(name);
        seen.remove(name);
    }

    private void forget(String name, long version) {
        stage.drop(name, version);
        codes.forget(name, version);
        kept.forget(name, version);
    }
}
