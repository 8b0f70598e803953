package io.weir.cluster.node;

import io.weir.operators.graph.Query;
import io.weir.operators.node.LocalEngine;
import io.weir.sql.QueryCompiler;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The sub-queries of queries in a shared engine. Its caller's lock. */
final class EngineSubQueries {
    private final LocalEngine engine;
    private final NodeSettings settings;
    private final Leaving leaving;

    /** Ends a query of the engine, if it is there. */
    @FunctionalInterface
    interface Leaving {
        void leave(String query);
    }

    EngineSubQueries(LocalEngine engine, NodeSettings settings, Leaving leaving) {
        this.engine = engine;
        this.settings = settings;
        this.leaving = leaving;
    }

    /** Adds the sub-queries of a query before it. If one of all is refused, none stays. */
    void with(Query query, Runnable add) {
        List<Query> added = new ArrayList<>();
        try {
            for (Query part : query.parts()) {
                engine.add(QueryCompiler.compile(part, settings.layouts()), batch -> {});
                added.add(part);
            }
            add.run();
        } catch (RuntimeException refused) {
            leave(added);
            throw refused;
        }
    }

    /** Ends the sub-queries of a query that has left. */
    void leave(Query query) {
        leave(query.parts());
    }

    private void leave(List<Query> parts) {
        List<Query> fromLast = new ArrayList<>(parts);
        Collections.reverse(fromLast);
        fromLast.forEach(part -> leaving.leave(part.name()));
    }
}
