package io.weir.cluster.sink;

import io.weir.operators.graph.Query;
import java.util.List;

/** How {@code weir run} prints rows. */
public enum Format {
    /** For people: aligned, a table per window. */
    TABLE,
    /** RFC 4180, one query. */
    CSV,
    /** One JSON object per line. */
    JSON;

    /**
     * A sink for the rows of these queries; for {@link #CSV}, of just one.
     *
     * @param queries those that will be printed
     */
    public OutputSink sink(TextOut out, List<Query> queries) {
        return switch (this) {
            case TABLE -> new TableSink(out);
            case CSV -> new CsvSink(out, queries.get(0).columns());
            case JSON -> new JsonSink(out);
        };
    }
}
