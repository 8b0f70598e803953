package io.weir.cluster.sink;

import io.weir.operators.graph.Kind;
import io.weir.operators.rows.RowBatch;

/**
 * Converts rows to the values of a JDBC client: Long, Double and Boolean. All other values are
 * text, the same text that the other sinks print (ADR 0020). Not thread-safe.
 */
public final class JdbcValues {
    /** The length of every time's text. */
    public static final int TIME_CHARACTERS = 30;

    private final CellText cells = new CellText();

    /** Returns a copy of a row. */
    public Object[] row(RowBatch batch, int row) {
        Object[] values = new Object[batch.layout().columns().size()];
        for (int column = 0; column < values.length; column++) {
            if (!batch.isNull(row, column)) {
                values[column] = value(batch, row, column, batch.layout().kind(column));
            }
        }
        return values;
    }

    private Object value(RowBatch batch, int row, int column, Kind kind) {
        return switch (kind) {
            case BIGINT, DOUBLE, BOOLEAN, VARCHAR -> batch.value(row, column);
            case TIMESTAMP, INTERVAL, INET, MACADDR -> cells.text(batch, row, column, kind);
        };
    }
}
