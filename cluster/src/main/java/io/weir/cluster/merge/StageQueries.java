package io.weir.cluster.merge;

import io.weir.cluster.kafka.catalog.CatalogState;
import io.weir.cluster.kafka.catalog.Definition;
import io.weir.operators.graph.Query;
import io.weir.operators.merge.MergeStage;
import io.weir.operators.merge.RowsMade;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The queries of the catalogue in one stage: adds, moves and drops what has changed. A version that
 * has a successor stays until the next one comes, for windows of it that are on their way; and so
 * does one whose windows come here no more, because workers make its rows. The stream's thread.
 */
final class StageQueries {
    /** How queries come into a stage. */
    interface Adding {
        /** Windows of a query over packets come here, where that is so. */
        void add(Definition definition, RowsMade made, boolean isRead);

        /** Rows of a version that was added are made elsewhere from its next window on. */
        void move(Definition definition, RowsMade made, boolean isRead);

        /** A query over rows, whose rows are made after the shards. */
        void addRows(Definition definition);

        /** A condition over merged rows. */
        void addWaker(Definition definition);

        void removeWaker(String query);
    }

    private final MergeStage stage;
    private final Adding adding;
    private final CompiledQueries codes;
    private final Map<String, List<Long>> versions = new LinkedHashMap<>();
    private final Map<String, Placed> seen = new HashMap<>();
    private CatalogState known;

    /**
     * A version of a query, and where what belongs to it is: others of the catalogue can change
     * that.
     *
     * @param wakes whether it waits for rows that are made after the shards
     */
    private record Placed(long version, RowsMade made, boolean isRead, boolean wakes) {
        boolean isMerged() {
            return made != RowsMade.ON_WORKERS;
        }
    }

    StageQueries(MergeStage stage, CompiledQueries codes, Adding adding) {
        this.stage = stage;
        this.codes = codes;
        this.adding = adding;
    }

    long offset() {
        return known == null ? 0 : known.offset();
    }

    void follow(CatalogState state) {
        if (state == known) {
            return;
        }
        for (String name : List.copyOf(seen.keySet())) {
            if (!state.definitions().containsKey(name)) {
                drop(name);
            }
        }
        Leaving leaving = new Leaving(state);
        for (Definition definition : state.definitions().values()) {
            Placed now = placed(definition, leaving);
            Placed before = seen.put(definition.name(), now);
            if (before == null || before.version() != now.version()) {
                add(definition, before, now);
            } else if (!before.equals(now)) {
                move(definition, before, now);
            }
        }
        known = state;
    }

    private static Placed placed(Definition definition, Leaving leaving) {
        Query query = definition.query();
        boolean wakes =
                query.when().isPresent()
                        && leaving.made(upstream(query, leaving)) != RowsMade.ON_WORKERS;
        return new Placed(definition.version(), leaving.made(query), leaving.isRead(query), wakes);
    }

    private void add(Definition definition, Placed before, Placed now) {
        if (before != null) {
            adding.removeWaker(definition.name());
            stage.dropRows(definition.name());
        }
        if (now.isMerged() && definition.query().readsPackets()) {
            addVersion(definition, now);
        } else if (now.isMerged()) {
            adding.addRows(definition);
        }
        if (now.wakes()) {
            adding.addWaker(definition);
        }
    }

    private void addVersion(Definition definition, Placed now) {
        List<Long> all = versions.computeIfAbsent(definition.name(), n -> new ArrayList<>());
        if (all.size() > 1) {
            forget(definition.name(), all.remove(0));
        }
        all.add(definition.version());
        adding.add(definition, now.made(), now.isRead());
    }

    private void move(Definition definition, Placed before, Placed now) {
        String name = definition.name();
        if (before.wakes() && !now.wakes()) {
            adding.removeWaker(name);
        }
        if (!definition.query().readsPackets()) {
            if (now.isMerged() && !before.isMerged()) {
                adding.addRows(definition);
            } else if (!now.isMerged()) {
                stage.dropRows(name);
            }
        } else if (now.isMerged()) {
            if (versions.getOrDefault(name, List.of()).contains(now.version())) {
                adding.move(definition, now.made(), now.isRead());
            } else {
                addVersion(definition, now);
            }
        }
        if (now.wakes() && !before.wakes()) {
            adding.addWaker(definition);
        }
    }

    /** Whether windows of this version can come, or may once the catalogue was read further. */
    boolean mayKnow(String name, long version) {
        Placed placed = seen.get(name);
        return known == null
                || known.offset() <= version
                || placed != null && placed.version() == version;
    }

    private static Query upstream(Query query, Leaving leaving) {
        return leaving.find(query.when().orElseThrow().upstream());
    }

    private void drop(String name) {
        adding.removeWaker(name);
        stage.dropRows(name);
        List<Long> all = versions.remove(name);
        if (all != null) {
            all.forEach(version -> forget(name, version));
        }
        seen.remove(name);
    }

    private void forget(String name, long version) {
        stage.drop(name, version);
        codes.forget(name, version);
    }
}
