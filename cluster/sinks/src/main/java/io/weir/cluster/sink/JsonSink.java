package io.weir.cluster.sink;

import io.weir.operators.graph.Query;
import io.weir.operators.rows.RowBatch;
import io.weir.operators.time.Clock;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Writes one JSON object per line, for any number of queries: {@code query} first, then the
 * columns. Keys are unique: if a column is called {@code query}, the first key is {@code _query}.
 */
final class JsonSink implements OutputSink {
    private final TextOut out;
    private final FlushPolicy flushing;
    private final Map<String, RowJson> queries = new HashMap<>();

    JsonSink(TextOut out) {
        this.out = out;
        this.flushing = new FlushPolicy(out, Clock.SYSTEM);
    }

    private static RowJson json(Query query) {
        String key = "query";
        while (isColumn(query, key)) {
            key = "_" + key;
        }
        return new RowJson(
                query.columns(),
                IntStream.range(0, query.columns().size()).toArray(),
                "{" + JsonText.quote(key) + ":" + JsonText.quote(query.name()));
    }

    private static boolean isColumn(Query query, String name) {
        return query.columns().stream().anyMatch(column -> column.name().equals(name));
    }

    @Override
    public void rows(RowBatch batch) {
        RowJson json = queries.computeIfAbsent(batch.query().name(), name -> json(batch.query()));
        for (int row = 0; row < batch.rows(); row++) {
            json.write(out, batch, row);
            out.put('\n');
        }
        flushing.afterBatch();
    }

    @Override
    public void close() {
        out.flush();
    }
}
