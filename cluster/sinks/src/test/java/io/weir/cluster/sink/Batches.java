package io.weir.cluster.sink;

import io.weir.operators.graph.Expr.Variable;
import io.weir.operators.graph.Inet;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.Operator;
import io.weir.operators.graph.Operator.Aggregate;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.StreamType;
import io.weir.operators.graph.Symbols;
import io.weir.operators.graph.Window;
import io.weir.operators.memory.Memory;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.rows.RowBatch;
import io.weir.operators.rows.RowLayout;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Queries and row batches made by hand. */
public final class Batches {
    private Batches() {}

    /** A query that only has a name and columns. */
    public static Query query(String name, Variable... columns) {
        Operator scan = new Operator.Scan(StreamType.PACKETS, List.of(columns), "ts");
        return new Query(name, scan, Optional.empty(), "SELECT");
    }

    /** The same, of windows of a second. */
    public static Query windowed(String name, Variable... columns) {
        Operator scan = new Operator.Scan(StreamType.PACKETS, List.of(), "ts");
        Operator aggregate =
                new Aggregate(
                        scan,
                        Optional.of(Window.tumble(1_000_000_000)),
                        List.of(),
                        List.of(),
                        Set.of());
        List<Operator.Named> outputs =
                List.of(columns).stream()
                        .map(c -> new Operator.Named(c.name(), (io.weir.operators.graph.Expr) c))
                        .toList();
        return new Query(name, new Operator.Project(aggregate, outputs), Optional.empty(), "");
    }

    /** A batch; values are null, Boolean, Long, Double, Inet or String. */
    public static RowBatch of(
            Query query, long startNs, long endNs, NativeAllocator allocator, Object[]... rows) {
        RowLayout layout = new RowLayout(query.columns());
        RowBatch batch = new RowBatch(query, layout, startNs, endNs, rows.length, allocator);
        for (int row = 0; row < rows.length; row++) {
            for (int column = 0; column < rows[row].length; column++) {
                put(batch, row, column, rows[row][column]);
            }
        }
        return batch;
    }

    private static void put(RowBatch batch, int row, int column, Object value) {
        long address = batch.address(row) + batch.layout().offset(column);
        if (value == null) {
            long bitmap = batch.address(row) + (column >> 6) * 8L;
            Memory.putLong(bitmap, Memory.getLong(bitmap) | 1L << column);
        } else if (value instanceof Inet inet) {
            Memory.putLong(address, inet.family());
            Memory.putLong(address + 8, inet.high());
            Memory.putLong(address + 16, inet.low());
        } else {
            Memory.putLong(address, word(value));
        }
    }

    private static long word(Object value) {
        if (value instanceof Double real) {
            return Double.doubleToRawLongBits(real);
        } else if (value instanceof Boolean bool) {
            return bool ? 1 : 0;
        } else if (value instanceof String text) {
            return Symbols.id(text);
        }
        return ((Number) value).longValue();
    }

    /** A nullable column. */
    public static Variable column(String name, Kind kind) {
        return Variable.column(name, new io.weir.operators.graph.Type(kind, true));
    }
}
