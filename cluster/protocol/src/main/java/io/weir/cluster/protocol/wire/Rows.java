package io.weir.cluster.protocol.wire;

import io.weir.operators.memory.Memory;

/** Rows in memory. Stateless. */
final class Rows {
    private Rows() {}

    /** Reads the row's bitmap. */
    static boolean isNull(long row, int column) {
        long bits = Memory.getLong(row + (column >> 6) * (long) Long.BYTES);
        return (bits >>> column & 1) != 0;
    }
}
