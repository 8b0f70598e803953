package io.weir.cluster.sink;

import io.weir.operators.graph.Expr.Variable;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.Operator;
import io.weir.operators.rows.RowBatch;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Prints rows for people: an aligned table per window, as windows close. The column widths of a
 * query only grow, so the tables of its windows line up. Long windows are laid out {@value
 * #CHUNK_ROWS} rows at a time.
 */
final class TableSink implements OutputSink {
    private static final int CHUNK_ROWS = 1000;

    private final TextOut out;
    private final CellText cells = new CellText();
    private final TimeText times = new TimeText();
    private final Map<String, TextTable> tables = new HashMap<>();
    private String last = "";

    TableSink(TextOut out) {
        this.out = out;
    }

    @Override
    public void rows(RowBatch batch) {
        if (batch.rows() == 0) {
            return;
        }
        List<Variable> columns = batch.query().columns();
        TextTable table = tables.computeIfAbsent(batch.query().name(), n -> tableOf(columns));
        boolean windowed = isWindowed(batch.query().root());
        boolean heading = windowed || !last.equals(batch.query().name());
        if (heading) {
            title(batch, windowed);
        }
        for (int from = 0; from < batch.rows(); from += CHUNK_ROWS) {
            int to = Math.min(from + CHUNK_ROWS, batch.rows());
            List<List<String>> rows = texts(batch, columns, from, to);
            table.fit(rows);
            if (heading && from == 0) {
                table.heading(out);
            }
            table.rows(out, rows);
        }
        last = batch.query().name();
        out.flush();
    }

    private static boolean isWindowed(Operator operator) {
        if (operator instanceof Operator.Aggregate aggregate) {
            return aggregate.window().isPresent();
        } else if (operator instanceof Operator.Sort sort) {
            return isWindowed(sort.input());
        } else if (operator instanceof Operator.Project project) {
            return isWindowed(project.input());
        } else if (operator instanceof Operator.Filter filter) {
            return isWindowed(filter.input());
        } else if (operator instanceof Operator.Over over) {
            return isWindowed(over.input());
        }
        return false;
    }

    private void title(RowBatch batch, boolean windowed) {
        if (!last.isEmpty()) {
            out.put('\n');
        }
        out.put(batch.query().name());
        if (windowed) {
            out.put("  ");
            times.time(out, batch.windowStartNs());
            out.put(" to ");
            times.time(out, batch.windowEndNs());
        }
        out.put('\n');
    }

    private List<List<String>> texts(RowBatch batch, List<Variable> columns, int from, int to) {
        List<List<String>> rows = new ArrayList<>(to - from);
        for (int row = from; row < to; row++) {
            List<String> texts = new ArrayList<>(columns.size());
            for (int column = 0; column < columns.size(); column++) {
                texts.add(cells.text(batch, row, column, columns.get(column).type().kind()));
            }
            rows.add(texts);
        }
        return rows;
    }

    private static TextTable tableOf(List<Variable> columns) {
        return new TextTable(
                columns.stream().map(Variable::name).toList(),
                columns.stream().map(c -> isNumber(c.type().kind())).toList());
    }

    private static boolean isNumber(Kind kind) {
        return kind.isNumeric() || kind == Kind.INTERVAL;
    }

    @Override
    public void close() {
        out.flush();
    }
}
