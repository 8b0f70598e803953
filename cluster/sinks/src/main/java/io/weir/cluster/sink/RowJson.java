package io.weir.cluster.sink;

import io.weir.operators.graph.Expr.Variable;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.Symbols;
import io.weir.operators.rows.RowBatch;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Writes rows of one query as JSON objects, with all or some of its columns. Numbers that JSON does
 * not have (NaN, infinity) are null. One thread.
 */
public final class RowJson {
    private final int[] columns;
    private final Kind[] kinds;

    /** The text before each value. */
    private final byte[][] before;

    private final CellText cells = new CellText();

    /**
     * @param all columns of the batches
     * @param columns indexes of those to write
     * @param opening of each object; the first column follows after a comma if it has a member
     */
    RowJson(List<Variable> all, int[] columns, String opening) {
        this.columns = columns.clone();
        kinds = new Kind[columns.length];
        before = new byte[columns.length][];
        String start = opening;
        for (int i = 0; i < columns.length; i++) {
            Variable column = all.get(columns[i]);
            kinds[i] = column.type().kind();
            String comma = start.endsWith("{") ? "" : ",";
            before[i] =
                    (start + comma + JsonText.quote(column.name()) + ":")
                            .getBytes(StandardCharsets.UTF_8);
            start = "";
        }
    }

    /** An object of these columns; there must be one at least. */
    public static RowJson of(List<Variable> all, int[] columns) {
        return new RowJson(all, columns, "{");
    }

    public void write(TextOut out, RowBatch batch, int row) {
        for (int i = 0; i < columns.length; i++) {
            out.put(before[i]);
            value(out, batch, row, columns[i], kinds[i]);
        }
        out.put('}');
    }

    private void value(TextOut out, RowBatch batch, int row, int column, Kind kind) {
        if (batch.isNull(row, column)
                || kind == Kind.DOUBLE && !Double.isFinite(batch.real(row, column))) {
            out.put("null");
        } else if (kind == Kind.BIGINT || kind == Kind.DOUBLE || kind == Kind.BOOLEAN) {
            cells.write(out, batch, row, column, kind);
        } else if (kind == Kind.VARCHAR) {
            out.put(JsonText.quote(Symbols.text(batch.word(row, column))));
        } else {
            out.put('"');
            cells.write(out, batch, row, column, kind);
            out.put('"');
        }
    }
}
