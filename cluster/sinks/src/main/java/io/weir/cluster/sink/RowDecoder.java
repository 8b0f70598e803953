package io.weir.cluster.sink;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.weir.operators.graph.Inet;
import io.weir.operators.graph.InetText;
import io.weir.operators.graph.MacText;
import io.weir.operators.memory.Memory;
import io.weir.operators.rows.RowBatch;
import io.weir.operators.rows.RowLayout;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;

/**
 * Reads JSON objects of {@link RowJson} back to rows. Columns that are missing or null are NULL.
 * Members that are no columns are skipped. One thread.
 */
public final class RowDecoder {
    private static final long SECOND_NS = 1_000_000_000L;

    private final JsonFactory json = new JsonFactory();

    /**
     * Writes a row.
     *
     * @throws IllegalArgumentException when this is no row of these columns
     */
    public void read(byte[] text, RowBatch batch, int row) {
        RowLayout layout = batch.layout();
        long address = batch.address(row);
        for (int column = 0; column < layout.columns().size(); column++) {
            setNull(address, column, true);
        }
        try (JsonParser parser = json.createParser(text)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new IllegalArgumentException("no JSON object");
            }
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                int column = layout.indexOf(parser.currentName());
                JsonToken value = parser.nextToken();
                if (column < 0) {
                    parser.skipChildren();
                } else if (value != JsonToken.VALUE_NULL) {
                    setNull(address, column, false);
                    put(parser, batch, column, address + layout.offset(column));
                }
            }
        } catch (IOException | RuntimeException e) {
            throw new IllegalArgumentException("no row of this query: " + e.getMessage(), e);
        }
    }

    private static void setNull(long address, int column, boolean isNull) {
        long word = address + (column >> 6) * (long) Long.BYTES;
        long bit = 1L << column;
        long bits = Memory.getLong(word);
        Memory.putLong(word, isNull ? bits | bit : bits & ~bit);
    }

    private static void put(JsonParser value, RowBatch batch, int column, long address)
            throws IOException {
        switch (batch.layout().kind(column)) {
            case BIGINT -> Memory.putLong(address, value.getLongValue());
            case DOUBLE -> Memory.putDouble(address, value.getDoubleValue());
            case BOOLEAN -> Memory.putLong(address, value.getBooleanValue() ? 1 : 0);
            case TIMESTAMP -> Memory.putLong(address, ns(value.getText()));
            case INTERVAL -> Memory.putLong(address, Duration.parse(value.getText()).toNanos());
            case MACADDR -> Memory.putLong(address, MacText.parse(value.getText()).orElseThrow());
            case VARCHAR -> Memory.putLong(address, batch.texts().id(value.getText()));
            case INET -> {
                Inet inet =
                        InetText.parse(value.getText())
                                .orElseThrow(() -> new IllegalArgumentException("no address"));
                Memory.putLong(address, inet.family());
                Memory.putLong(address + Long.BYTES, inet.high());
                Memory.putLong(address + 2 * Long.BYTES, inet.low());
            }
        }
    }

    private static long ns(String time) {
        Instant instant = Instant.parse(time);
        return instant.getEpochSecond() * SECOND_NS + instant.getNano();
    }
}
