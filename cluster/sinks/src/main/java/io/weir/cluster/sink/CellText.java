package io.weir.cluster.sink;

import io.weir.operators.graph.DoubleText;
import io.weir.operators.graph.Inet;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.MacText;
import io.weir.operators.graph.Symbols;
import io.weir.operators.rows.RowBatch;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Writes cells of rows as text, the same in every format. Not thread-safe. */
public final class CellText {
    private static final int SCRATCH_BYTES = 256;

    private final TimeText times = new TimeText();
    private final ByteArrayOutputStream scratch = new ByteArrayOutputStream(SCRATCH_BYTES);
    private final TextOut scratchOut = new TextOut(scratch, SCRATCH_BYTES);

    /** Writes a cell that is not NULL, unquoted. */
    void write(TextOut out, RowBatch batch, int row, int column, Kind kind) {
        switch (kind) {
            case BIGINT -> out.number(batch.word(row, column));
            case DOUBLE -> out.put(DoubleText.format(batch.real(row, column)));
            case BOOLEAN -> out.put(batch.word(row, column) != 0 ? "true" : "false");
            case TIMESTAMP -> times.time(out, batch.word(row, column));
            case INTERVAL -> TimeText.interval(out, batch.word(row, column));
            case MACADDR -> out.put(MacText.format(batch.word(row, column)));
            case INET -> inet(out, (Inet) batch.value(row, column));
            case VARCHAR -> out.put(Symbols.text(batch.word(row, column)));
        }
    }

    /** Returns the cell as a string; "" for NULL. For tables and other small outputs. */
    public String text(RowBatch batch, int row, int column, Kind kind) {
        if (batch.isNull(row, column)) {
            return "";
        }
        scratch.reset();
        write(scratchOut, batch, row, column, kind);
        scratchOut.flush();
        return scratch.toString(StandardCharsets.UTF_8);
    }

    private static void inet(TextOut out, Inet address) {
        if (address.family() == 4) {
            for (int shift = 24; shift >= 0; shift -= 8) {
                out.number(address.low() >>> shift & 0xFF);
                if (shift > 0) {
                    out.put('.');
                }
            }
        } else {
            out.put(address.toString());
        }
    }
}
