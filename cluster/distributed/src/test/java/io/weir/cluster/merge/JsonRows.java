package io.weir.cluster.merge;

import io.weir.cluster.sink.RowJson;
import io.weir.cluster.sink.TextOut;
import io.weir.operators.rows.RowBatch;
import io.weir.operators.rows.RowSink;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.stream.IntStream;

/** Rows as their results' records have them. */
final class JsonRows implements RowSink {
    private final Rows rows;

    JsonRows(Rows rows) {
        this.rows = rows;
    }

    @Override
    public void rows(RowBatch batch) {
        int[] all = IntStream.range(0, batch.layout().columns().size()).toArray();
        RowJson json = RowJson.of(batch.layout().columns(), all);
        for (int r = 0; r < batch.rows(); r++) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            TextOut out = new TextOut(bytes);
            json.write(out, batch, r);
            out.flush();
            rows.add(batch.query().name(), bytes.toString(StandardCharsets.UTF_8));
        }
    }
}
