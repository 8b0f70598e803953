package io.weir.operators.kernel;

import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Operator.OverCall;
import io.weir.operators.map.EntryLayout;
import io.weir.operators.rows.RowLayout;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The columns of OVER that have one partition over windows, and the bytes that a partition's
 * earlier rows take. Immutable.
 *
 * <pre>
 *   entry: for each column of the partition a word that is 1 for NULL, then its words
 *   value: rows so far · end of the window of the last one · room for the last rows, in a ring:
 *          for each column that is read a word that is 1 for NULL, then its words
 * </pre>
 */
final class OverSpec {
    static final int HEAD_BYTES = 2 * Long.BYTES;

    private final RowLayout layout;
    private final int[] keys;
    private final int keyBytes;
    private final int[] read;
    private final int[] places;
    private final int rowBytes;
    private final int depth;
    private final List<OverCall> calls;

    /**
     * @param calls with the same partition
     */
    OverSpec(RowLayout layout, List<OverCall> calls) {
        this.layout = layout;
        this.calls = List.copyOf(calls);
        keys = calls.get(0).partition().stream().mapToInt(layout::indexOf).toArray();
        int words = 0;
        for (int key : keys) {
            words += 1 + RowLayout.words(layout.kind(key));
        }
        keyBytes = Math.max(1, words) * Long.BYTES;
        read = columns(layout, calls);
        places = new int[layout.columns().size()];
        int at = 0;
        for (int column : read) {
            places[column] = at;
            at += (1 + RowLayout.words(layout.kind(column))) * Long.BYTES;
        }
        rowBytes = at;
        depth = calls.stream().mapToInt(OverCall::rowsBefore).max().orElse(0);
    }

    private static int[] columns(RowLayout layout, List<OverCall> calls) {
        return calls.stream()
                .flatMap(call -> call.arguments().stream().limit(1))
                .filter(Expr.Variable.class::isInstance)
                .mapToInt(argument -> layout.indexOf(((Expr.Variable) argument).name()))
                .distinct()
                .toArray();
    }

    /** Returns the columns that a run computes. */
    List<OverColumn> newColumns() {
        List<OverColumn> columns = new ArrayList<>();
        calls.forEach(call -> columns.add(new OverColumn(call, layout)));
        return columns;
    }

    EntryLayout entry() {
        int words = (HEAD_BYTES + depth * rowBytes) / Long.BYTES;
        return EntryLayout.settled(keyBytes / Long.BYTES, Collections.nCopies(words, 0L));
    }

    RowLayout layout() {
        return layout;
    }

    /** Returns the columns of the partition. */
    int[] keys() {
        return keys;
    }

    int keyBytes() {
        return keyBytes;
    }

    /** Returns the columns whose earlier values are kept. */
    int[] read() {
        return read;
    }

    /** Returns the bytes from the begin of a kept row to a column's words. */
    int place(int column) {
        return places[column];
    }

    int rowBytes() {
        return rowBytes;
    }

    /** Returns how many earlier rows of a partition are kept. */
    int depth() {
        return depth;
    }
}
