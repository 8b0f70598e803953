package io.weir.operators.result;

import io.weir.operators.graph.Combination;
import io.weir.operators.memory.Memory;
import io.weir.operators.rows.RowLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The columns of one side of a join: its keys, and where the others go in a pair. Hot for each row;
 * no allocation. The results' thread.
 */
final class SideColumns {
    private final RowLayout combined;

    /** The columns in a pair, and those of the side, or -1 for all while the side had no rows. */
    private final int[] to;

    private int[] from;
    private int[] keys;
    private int[] keyOffsets;
    private int[] keyWords;
    private RowLayout layout;

    private final String prefix;
    private final List<String> keyNames;

    private SideColumns(RowLayout combined, int[] to, String prefix, List<String> keyNames) {
        this.combined = combined;
        this.to = to;
        this.prefix = prefix;
        this.keyNames = keyNames;
    }

    static SideColumns of(Combination.Join join, boolean left, RowLayout combined) {
        List<Integer> to = new ArrayList<>();
        for (int c = 0; c < combined.columns().size(); c++) {
            if (join.isRight(combined.columns().get(c).name()) != left) {
                to.add(c);
            }
        }
        List<String> keys =
                join.equations().stream().map(e -> left ? e.left() : e.right()).toList();
        return new SideColumns(
                combined,
                to.stream().mapToInt(Integer::intValue).toArray(),
                (left ? join.left() : join.right()).prefix(),
                keys);
    }

    /** Learns the layout of the side's rows. */
    void read(RowLayout rows) {
        if (layout == rows) {
            return;
        }
        layout = rows;
        from =
                Arrays.stream(to)
                        .map(
                                c ->
                                        rows.indexOf(
                                                combined.columns()
                                                        .get(c)
                                                        .name()
                                                        .substring(prefix.length())))
                        .toArray();
        keys = keyNames.stream().mapToInt(rows::indexOf).toArray();
        keyOffsets = Arrays.stream(keys).map(rows::offset).toArray();
        keyWords = Arrays.stream(keys).map(k -> RowLayout.words(rows.kind(k))).toArray();
        combined.strings().keep(rows.strings());
    }

    /** Copies a row's columns into a pair. */
    void copy(long row, long pair) {
        for (int i = 0; i < to.length; i++) {
            int words = RowLayout.words(combined.kind(to[i]));
            long source = row + layout.offset(from[i]);
            long target = pair + combined.offset(to[i]);
            for (int w = 0; w < words; w++) {
                Memory.putLong(
                        target + w * (long) Long.BYTES,
                        Memory.getLong(source + w * (long) Long.BYTES));
            }
            if (isNull(row, from[i])) {
                setNull(pair, to[i]);
            }
        }
    }

    /** Makes the side's columns in a pair NULL. */
    void none(long pair) {
        for (int column : to) {
            int words = RowLayout.words(combined.kind(column));
            for (int w = 0; w < words; w++) {
                Memory.putLong(pair + combined.offset(column) + w * (long) Long.BYTES, 0);
            }
            setNull(pair, column);
        }
    }

    /** Returns whether a key is NULL, and so equal to nothing. */
    boolean hasNullKey(long row) {
        for (int key : keys) {
            if (isNull(row, key)) {
                return true;
            }
        }
        return false;
    }

    int hash(long row) {
        long hash = 0;
        for (int k = 0; k < keys.length; k++) {
            for (int w = 0; w < keyWords[k]; w++) {
                long word = Memory.getLong(row + keyOffsets[k] + w * (long) Long.BYTES);
                hash = (hash ^ word) * 0x9E37_79B9_7F4A_7C15L;
                hash ^= hash >>> 29;
            }
        }
        return (int) (hash ^ hash >>> 32);
    }

    boolean equals(long row, SideColumns other, long otherRow) {
        for (int k = 0; k < keys.length; k++) {
            for (int w = 0; w < keyWords[k]; w++) {
                long at = w * (long) Long.BYTES;
                if (Memory.getLong(row + keyOffsets[k] + at)
                        != Memory.getLong(otherRow + other.keyOffsets[k] + at)) {
                    return false;
                }
            }
        }
        return true;
    }

    private static boolean isNull(long row, int column) {
        return (Memory.getLong(row + (column >> 6) * (long) Long.BYTES) >>> column & 1) != 0;
    }

    static void setNull(long row, int column) {
        long at = row + (column >> 6) * (long) Long.BYTES;
        Memory.putLong(at, Memory.getLong(at) | 1L << column);
    }

    static void clearNulls(long row, RowLayout layout) {
        for (int w = 0; w < layout.nullWords(); w++) {
            Memory.putLong(row + w * (long) Long.BYTES, 0);
        }
    }
}
