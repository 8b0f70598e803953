package io.weir.cluster.merge;

import com.google.protobuf.ByteString;
import io.weir.cluster.format.RowEncoder;
import io.weir.cluster.format.RowFormat;
import io.weir.cluster.kafka.results.RecordTime;
import io.weir.cluster.kafka.results.ResultHeaders;
import io.weir.cluster.sink.GroupColumns;
import io.weir.cluster.sink.RowJson;
import io.weir.cluster.sink.TextOut;
import io.weir.cluster.wire.OutboxRow;
import io.weir.operators.graph.Query;
import io.weir.operators.rows.RowBatch;
import io.weir.operators.rows.RowSink;
import io.weir.operators.time.Clock;
import java.io.ByteArrayOutputStream;
import java.util.function.Consumer;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.Record;

/** Writes rows of one version of a query as records of its results. One thread. */
final class ResultRecords implements RowSink {
    private final String maker;
    private final long version;
    private final Consumer<Record<byte[], byte[]>> out;
    private final RowEncoder value;
    private final Clock clock;
    private final RowJson key;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final TextOut text = new TextOut(bytes);
    private long sequence;

    /**
     * @param maker the maker of the rows, for their headers
     * @param clock when rows are made
     */
    ResultRecords(
            String maker,
            Query query,
            long version,
            RowEncoder value,
            Clock clock,
            Consumer<Record<byte[], byte[]>> out) {
        this.maker = maker;
        this.version = version;
        this.out = out;
        int[] groups = GroupColumns.of(query);
        this.value = value;
        this.clock = clock;
        key = groups.length == 0 ? null : RowJson.of(query.columns(), groups);
    }

    @Override
    public void rows(RowBatch batch) {
        OutboxRow.Builder row =
                OutboxRow.newBuilder()
                        .setQuery(batch.query().name())
                        .setVersion(version)
                        .setCompleteness(batch.completeness());
        long madeMs = clock.millis();
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
        long timeMs = RecordTime.ms(row.build(), madeMs);
        for (int r = 0; r < batch.rows(); r++) {
            Headers headers = new RecordHeaders();
            ResultHeaders.write(headers, row.build(), maker, sequence++);
            byte[] group = key == null ? null : text(key, batch, r).toByteArray();
            byte[] all = value.encode(batch, r);
            out.accept(new Record<>(group, all, timeMs, headers));
        }
    }

    private ByteString text(RowJson json, RowBatch batch, int row) {
        bytes.reset();
        json.write(text, batch, row);
        text.flush();
        return ByteString.copyFrom(bytes.toByteArray());
    }
}
