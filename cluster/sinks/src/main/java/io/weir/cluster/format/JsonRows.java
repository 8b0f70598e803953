package io.weir.cluster.format;

import io.weir.cluster.sink.RowJson;
import io.weir.cluster.sink.TextOut;
import io.weir.operators.graph.Query;
import io.weir.operators.rows.RowBatch;
import java.io.ByteArrayOutputStream;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/** Writes rows as JSON objects. One thread. */
final class JsonRows implements RowEncoder {
    private final RowJson json;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final TextOut out = new TextOut(bytes);

    JsonRows(Query query) {
        json = RowJson.of(query.columns(), IntStream.range(0, query.columns().size()).toArray());
    }

    @Override
    public byte[] encode(RowBatch batch, int row) {
        bytes.reset();
        json.write(out, batch, row);
        out.flush();
        return bytes.toByteArray();
    }

    @Override
    public RowFormat format() {
        return RowFormat.JSON;
    }

    @Override
    public OptionalInt schemaId() {
        return OptionalInt.empty();
    }
}
