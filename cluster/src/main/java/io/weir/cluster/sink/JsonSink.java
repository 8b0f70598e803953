package io.weir.cluster.sink;

import io.weir.operators.graph.Expr.Variable;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.Symbols;
import io.weir.operators.result.RowBatch;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * One JSON object per line, of any number of queries: {@code query} first, then the columns. What
 * JSON has no number for (NaN, infinity) is null.
 */
final class JsonSink implements OutputSink {
    private final TextOut out;
    private final Flushing flushing;
    private final CellText cells = new CellText();
    private final Map<String, Shape> shapes = new HashMap<>();

    /** What every line of a query has in common: the text before each value. */
    private static final class Shape {
        private final byte[][] before;
        private final Kind[] kinds;

        Shape(Query query) {
            List<Variable> columns = query.columns();
            before = new byte[columns.size()][];
            kinds = new Kind[columns.size()];
            String start = "{\"query\":" + JsonText.quote(query.name());
            for (int i = 0; i < kinds.length; i++) {
                kinds[i] = columns.get(i).type().kind();
                String text = start + "," + JsonText.quote(columns.get(i).name()) + ":";
                before[i] = text.getBytes(StandardCharsets.UTF_8);
                start = "";
            }
        }
    }

    JsonSink(TextOut out) {
        this.out = out;
        this.flushing = new Flushing(out);
    }

    @Override
    public void rows(RowBatch batch) {
        Query query = batch.query();
        Shape shape = shapes.computeIfAbsent(query.name(), name -> new Shape(query));
        for (int row = 0; row < batch.rows(); row++) {
            for (int column = 0; column < shape.kinds.length; column++) {
                out.put(shape.before[column]);
                value(batch, row, column, shape.kinds[column]);
            }
            out.put('}');
            out.put('\n');
        }
        flushing.afterBatch();
    }

    private void value(RowBatch batch, int row, int column, Kind kind) {
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

    @Override
    public void close() {
        out.flush();
    }
}
