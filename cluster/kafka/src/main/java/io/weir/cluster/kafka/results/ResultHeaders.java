package io.weir.cluster.kafka.results;

import io.weir.cluster.sink.TimeText;
import io.weir.cluster.wire.OutboxRow;
import io.weir.operators.graph.DoubleText;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.OptionalLong;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/** The headers of a result's record, which describe the row. They are text, for every consumer. */
public final class ResultHeaders {
    public static final String QUERY = "query";
    static final String VERSION = "version";
    static final String WINDOW_START = "window_start";
    public static final String WINDOW_END = "window_end";
    static final String COMPLETENESS = "completeness";
    public static final String WORKER = "worker";
    static final String SEQ = "seq";

    /** The format of the value; absent for JSON. */
    static final String FORMAT = "format";

    /** The number of the schema at the value's begin. */
    static final String SCHEMA_ID = "schema_id";

    private static final long SECOND_NS = 1_000_000_000L;

    private ResultHeaders() {}

    /**
     * @param seq the row's number in the worker's outbox
     */
    public static void write(Headers headers, OutboxRow row, String worker, long seq) {
        add(headers, QUERY, row.getQuery());
        add(headers, VERSION, Long.toString(row.getVersion()));
        if (row.hasWindowStartNs()) {
            add(headers, WINDOW_START, TimeText.of(row.getWindowStartNs()));
        }
        if (row.hasWindowEndNs()) {
            add(headers, WINDOW_END, TimeText.of(row.getWindowEndNs()));
        }
        if (row.hasCompleteness()) {
            add(headers, COMPLETENESS, DoubleText.format(row.getCompleteness()));
        }
        add(headers, WORKER, worker);
        add(headers, SEQ, Long.toString(seq));
        if (!row.getValueFormat().isEmpty()) {
            add(headers, FORMAT, row.getValueFormat());
        }
        if (row.hasSchemaId()) {
            add(headers, SCHEMA_ID, Integer.toString(row.getSchemaId()));
        }
    }

    private static void add(Headers headers, String name, String value) {
        headers.add(name, value.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns empty if there is none, or one without a value. */
    public static String text(Headers headers, String name) {
        Header header = headers.lastHeader(name);
        byte[] value = header == null ? null : header.value();
        return value == null ? "" : new String(value, StandardCharsets.UTF_8);
    }

    /** Returns a time; empty if there is none. */
    static OptionalLong ns(Headers headers, String name) {
        String text = text(headers, name);
        if (text.isEmpty()) {
            return OptionalLong.empty();
        }
        Instant instant = Instant.parse(text);
        return OptionalLong.of(instant.getEpochSecond() * SECOND_NS + instant.getNano());
    }
}
