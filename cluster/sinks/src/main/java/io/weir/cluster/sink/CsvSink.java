package io.weir.cluster.sink;

import io.weir.operators.graph.Expr.Variable;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.Symbols;
import io.weir.operators.rows.RowBatch;
import io.weir.operators.time.Clock;
import java.util.List;

/**
 * Writes RFC 4180 for one query: a header line, even without rows, then the rows. NULL is empty.
 * Lines end with LF, as the tools of a Unix pipe expect.
 */
final class CsvSink implements OutputSink {
    private final TextOut out;
    private final FlushPolicy flushing;
    private final CellText cells = new CellText();
    private final Kind[] kinds;
    private final List<String> names;
    private boolean headed;

    CsvSink(TextOut out, List<Variable> columns) {
        this.out = out;
        this.flushing = new FlushPolicy(out, Clock.SYSTEM);
        this.kinds = columns.stream().map(c -> c.type().kind()).toArray(Kind[]::new);
        this.names = columns.stream().map(Variable::name).toList();
    }

    @Override
    public void rows(RowBatch batch) {
        header();
        for (int row = 0; row < batch.rows(); row++) {
            for (int column = 0; column < kinds.length; column++) {
                separate(column);
                if (!batch.isNull(row, column)) {
                    cell(batch, row, column);
                }
            }
            out.put('\n');
        }
        flushing.afterBatch();
    }

    /** It comes with the first row or the end, so a run that fails before prints nothing. */
    private void header() {
        if (!headed) {
            headed = true;
            for (int i = 0; i < names.size(); i++) {
                separate(i);
                text(names.get(i));
            }
            out.put('\n');
        }
    }

    private void cell(RowBatch batch, int row, int column) {
        if (kinds[column] == Kind.VARCHAR) {
            text(Symbols.text(batch.word(row, column)));
        } else {
            cells.write(out, batch, row, column, kinds[column]);
        }
    }

    private void separate(int column) {
        if (column > 0) {
            out.put(',');
        }
    }

    private void text(String text) {
        if (isPlain(text)) {
            out.put(text);
        } else {
            out.put('"' + text.replace("\"", "\"\"") + '"');
        }
    }

    /** An empty string is quoted, because an empty field is NULL. */
    private static boolean isPlain(String text) {
        return !text.isEmpty() && text.chars().noneMatch(c -> ",\"\r\n".indexOf(c) >= 0);
    }

    @Override
    public void end() {
        header();
    }

    @Override
    public void close() {
        out.flush();
    }
}
