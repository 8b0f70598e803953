package io.weir.cluster.kafka.results;

import io.weir.cluster.format.RowFormat;
import java.nio.charset.StandardCharsets;
import java.util.OptionalLong;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * A row as a record of a query's topic.
 *
 * @param key of its group; empty text without one
 * @param value the row
 * @param worker its maker: a worker, or a part of the merge
 * @param format of the value
 * @param framed whether the number of its schema stands before it
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Result(
        long offset,
        String key,
        byte[] value,
        RowFormat format,
        boolean framed,
        long version,
        String worker,
        OptionalLong windowStartNs,
        OptionalLong windowEndNs) {

    /** Reads a record. Throws IllegalArgumentException (or its like) if it is no row. */
    static Result of(ConsumerRecord<byte[], byte[]> record) {
        return new Result(
                record.offset(),
                record.key() == null ? "" : new String(record.key(), StandardCharsets.UTF_8),
                record.value(),
                format(ResultHeaders.text(record.headers(), ResultHeaders.FORMAT)),
                record.headers().lastHeader(ResultHeaders.SCHEMA_ID) != null,
                Long.parseLong(ResultHeaders.text(record.headers(), ResultHeaders.VERSION)),
                ResultHeaders.text(record.headers(), ResultHeaders.WORKER),
                ResultHeaders.ns(record.headers(), ResultHeaders.WINDOW_START),
                ResultHeaders.ns(record.headers(), ResultHeaders.WINDOW_END));
    }

    private static RowFormat format(String text) {
        return text.isEmpty()
                ? RowFormat.JSON
                : RowFormat.find(text).orElseThrow(IllegalArgumentException::new);
    }

    boolean isOfWindow(Result other) {
        return windowEndNs.equals(other.windowEndNs)
                && windowStartNs.equals(other.windowStartNs)
                && version == other.version
                && worker.equals(other.worker);
    }
}
