package io.weir.cluster.sink;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Query;
import java.util.Arrays;
import java.util.List;

/** The output formats of {@code weir run}. */
public enum Format {
    /** For people: aligned, a table per window. */
    TABLE,
    /** RFC 4180, one query. */
    CSV,
    /** One JSON object per line. */
    JSON;

    /** Returns the format of this name. */
    public static Format parse(String name) {
        return Arrays.stream(values())
                .filter(format -> format.name().equalsIgnoreCase(name))
                .findFirst()
                .orElseThrow(
                        () ->
                                new WeirException(
                                        ErrorCode.INVALID_OPTION,
                                        "there is no format " + name,
                                        "the formats are table, csv and json"));
    }

    /**
     * Makes a sink for the rows of these queries; for {@link #CSV}, of just one.
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
