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
 * The queries of the catalogue in one stage: adds and drops what has changed. A version that has a
 * successor stays until the next one comes, for windows of it that are on their way. The stream's
 * thread.
 */
final class StageQueries {
    /** How queries come into a stage. */
    interface Adding {
        /** Windows of a query over packets come here, where that is so. */
        void add(Definition definition, RowsMade made, boolean isRead);

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
    private final Map<String, Definition> seen = new HashMap<>();
    private CatalogState known;

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
            Definition before = seen.put(definition.name(), definition);
            if (before == null || before.version() != definition.version()) {
                add(definition, before, leaving);
            }
        }
        known = state;
    }

    private void add(Definition definition, Definition before, Leaving leaving) {
        Query query = definition.query();
        RowsMade made = leaving.made(query);
        if (before != null) {
            adding.removeWaker(before.name());
            stage.dropRows(before.name());
        }
        if (made != RowsMade.ON_WORKERS && query.readsPackets()) {
            List<Long> all = versions.computeIfAbsent(query.name(), n -> new ArrayList<>());
            if (all.size() > 1) {
                forget(query.name(), all.remove(0));
            }
            all.add(definition.version());
            adding.add(definition, made, leaving.isRead(query));
        } else if (made != RowsMade.ON_WORKERS) {
            adding.addRows(definition);
        }
        boolean wakes =
                query.when().isPresent()
                        && leaving.made(upstream(query, leaving)) != RowsMade.ON_WORKERS;
        if (wakes) {
            adding.addWaker(definition);
        }
    }

    private Query upstream(Query query, Leaving leaving) {
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
