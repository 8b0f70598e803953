package io.weir.cluster.worker;

import com.google.protobuf.ByteString;
import io.weir.cluster.format.RowEncoder;
import io.weir.cluster.format.RowFormat;
import io.weir.cluster.sink.GroupColumns;
import io.weir.cluster.sink.RowJson;
import io.weir.cluster.sink.TextOut;
import io.weir.cluster.wire.OutboxRow;
import io.weir.operators.graph.Query;
import io.weir.operators.rows.RowBatch;
import io.weir.operators.rows.RowSink;
import io.weir.operators.time.Clock;
import java.io.ByteArrayOutputStream;

/** Writes rows of one version of a query into the outbox. The results' thread. */
final class OutboxSink implements RowSink {
    private static final int FORMAT = 1;

    private final long version;
    private final FiredRows outbox;
    private final Clock clock;
    private final RowEncoder value;
    private final RowJson key;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final TextOut out = new TextOut(bytes);

    OutboxSink(Query query, long version, FiredRows outbox, RowEncoder value, Clock clock) {
        this.version = version;
        this.outbox = outbox;
        this.clock = clock;
        int[] groups = GroupColumns.of(query);
        this.value = value;
        this.key = groups.length == 0 ? null : RowJson.of(query.columns(), groups);
    }

    @Override
    public void rows(RowBatch batch) {
        OutboxRow.Builder row =
                OutboxRow.newBuilder()
                        .setFormat(FORMAT)
                        .setQuery(batch.query().name())
                        .setVersion(version)
                        .setCompleteness(batch.completeness())
                        .setMadeMs(clock.millis());
        if (batch.windowEndNs() != Long.MAX_VALUE) {
            row.setWindowEndNs(batch.windowEndNs());
        }
        if (batch.windowStartNs() != Long.MIN_VALUE) {
            row.setWindowStartNs(batch.windowStartNs());
        }
        if (value.format() != RowFormat.JSON) {
            row.setValueFormat(value.format().text());
            value.schemaId().ifPresent(row::setSchemaId);
        }
        for (int i = 0; i < batch.rows(); i++) {
            if (key != null) {
                row.setKey(text(key, batch, i));
            }
            row.setValue(ByteString.copyFrom(value.encode(batch, i)));
            outbox.add(row.build().toByteArray(), i + 1 < batch.rows());
        }
        outbox.window(batch.query().name(), version, batch.windowEndNs());
    }

    private ByteString text(RowJson json, RowBatch batch, int row) {
        bytes.reset();
        json.write(out, batch, row);
        out.flush();
        return ByteString.copyFrom(bytes.toByteArray());
    }
}
