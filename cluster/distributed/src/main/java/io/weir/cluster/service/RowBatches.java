package io.weir.cluster.service;

import io.weir.cluster.format.RowReader;
import io.weir.cluster.kafka.results.Result;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Query;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.rows.RowBatch;
import io.weir.operators.rows.RowLayout;
import java.util.List;

/** Turns records of a query's topic into batches of its rows. One thread. */
final class RowBatches {
    private static final long MAX_BYTES = 1L << 30;

    private final Query query;
    private final RowLayout layout;
    private final NativeAllocator allocator = new NativeAllocator(MAX_BYTES);
    private final RowReader reader;

    RowBatches(Query query) {
        this.query = query;
        this.layout = new RowLayout(query.columns());
        this.reader = new RowReader(query);
    }

    /**
     * @param results of one window; one at least. The caller closes the batch
     */
    RowBatch of(List<Result> results) {
        Result first = results.get(0);
        RowBatch batch =
                new RowBatch(
                        query,
                        layout,
                        first.windowStartNs().orElse(Long.MIN_VALUE),
                        first.windowEndNs().orElse(Long.MAX_VALUE),
                        results.size(),
                        allocator);
        try {
            for (int row = 0; row < results.size(); row++) {
                Result result = results.get(row);
                reader.read(result.format(), result.framed(), result.value(), batch, row);
            }
            return batch;
        } catch (IllegalArgumentException e) {
            batch.close();
            throw new WeirException(
                    ErrorCode.INVALID_QUERY,
                    "rows of " + query.name() + " do not fit the query: " + e.getMessage(),
                    "it may have been replaced in between: begin again");
        }
    }
}
