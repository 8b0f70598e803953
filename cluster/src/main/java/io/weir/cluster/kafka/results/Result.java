package io.weir.cluster.kafka.results;

import java.nio.charset.StandardCharsets;
import java.util.OptionalLong;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * A row as it lies in a query's topic.
 *
 * @param key of its group; empty text without one
 * @param value the row, as JSON
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares them
public record Result(
        long offset,
        String key,
        byte[] value,
        long version,
        OptionalLong windowStartNs,
        OptionalLong windowEndNs) {

    /** Throws IllegalArgumentException (or its like) when this is none. */
    static Result of(ConsumerRecord<byte[], byte[]> record) {
        return new Result(
                record.offset(),
                record.key() == null ? "" : new String(record.key(), StandardCharsets.UTF_8),
                record.value(),
                Long.parseLong(ResultHeaders.text(record.headers(), ResultHeaders.VERSION)),
                ResultHeaders.ns(record.headers(), ResultHeaders.WINDOW_START),
                ResultHeaders.ns(record.headers(), ResultHeaders.WINDOW_END));
    }

    boolean isOfWindow(Result other) {
        return windowEndNs.equals(other.windowEndNs)
                && windowStartNs.equals(other.windowStartNs)
                && version == other.version;
    }
}
