package io.weir.cluster.format;

import io.weir.operators.graph.Inet;
import io.weir.operators.graph.InetText;
import io.weir.operators.graph.MacText;
import io.weir.operators.memory.Memory;
import io.weir.operators.rows.RowBatch;
import io.weir.operators.rows.RowLayout;

/** Writes values into the words of a row. */
final class RowWriter {
    private RowWriter() {}

    /**
     * @param cells null, Boolean, Long, Double or String; throws IllegalArgumentException or
     *     ClassCastException if one does not fit
     */
    static void write(Object[] cells, RowBatch batch, int row) {
        RowLayout layout = batch.layout();
        long address = batch.address(row);
        for (int c = 0; c < cells.length; c++) {
            long word = address + (c >> 6) * (long) Long.BYTES;
            long bits = Memory.getLong(word);
            long bit = 1L << c;
            Memory.putLong(word, cells[c] == null ? bits | bit : bits & ~bit);
            if (cells[c] != null) {
                put(cells[c], batch, c, address + layout.offset(c));
            }
        }
    }

    private static void put(Object cell, RowBatch batch, int column, long address) {
        switch (batch.layout().kind(column)) {
            case BIGINT, TIMESTAMP, INTERVAL -> Memory.putLong(address, (Long) cell);
            case DOUBLE -> Memory.putDouble(address, (Double) cell);
            case BOOLEAN -> Memory.putLong(address, (Boolean) cell ? 1 : 0);
            case MACADDR -> Memory.putLong(address, MacText.parse((String) cell).orElseThrow());
            case VARCHAR -> Memory.putLong(address, batch.texts().id((String) cell));
            case INET -> {
                Inet inet =
                        InetText.parse((String) cell)
                                .orElseThrow(() -> new IllegalArgumentException("no address"));
                Memory.putLong(address, inet.family());
                Memory.putLong(address + Long.BYTES, inet.high());
                Memory.putLong(address + 2 * Long.BYTES, inet.low());
            }
        }
    }
}
