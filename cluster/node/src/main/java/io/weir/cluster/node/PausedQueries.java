package io.weir.cluster.node;

import io.weir.operators.graph.Query;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.node.LocalEngine;
import io.weir.operators.rows.RowSink;
import io.weir.sql.QueryCompiler;

/** Pauses and resumes queries of a shared engine, with their sub-queries. Its caller's lock. */
final class PausedQueries {
    private static final RowSink NOBODY = batch -> {};

    private final LocalEngine engine;
    private final NodeSettings settings;

    PausedQueries(LocalEngine engine, NodeSettings settings) {
        this.engine = engine;
        this.settings = settings;
    }

    /** The query ends first: the last rows of its sub-queries have no reader. */
    void pause(Query query, RowSink sink) {
        engine.pause(compiled(query), sink);
        query.parts().forEach(part -> engine.pause(compiled(part), NOBODY));
    }

    void resume(Query query, RowSink sink) {
        query.parts().forEach(part -> engine.replace(compiled(part), NOBODY));
        engine.replace(compiled(query), sink);
    }

    private CompiledQuery compiled(Query query) {
        return QueryCompiler.compile(query, settings.layouts());
    }
}
