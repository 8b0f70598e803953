package io.weir.operators.rows;

import io.weir.operators.graph.Expr.Variable;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.SymbolSet;
import java.util.List;

/**
 * A result row as bytes: a bitmap of NULLs, then the columns, all in 64-bit words.
 *
 * <pre>
 *   ceil(columns / 64) words: bit c set when column c is NULL
 *   then each column: one word (DOUBLE as raw bits, BOOLEAN 0 or 1, VARCHAR a symbol),
 *   INET three: family, high, low
 * </pre>
 *
 * The words of a NULL are 0, so that equal rows are equal bytes. Immutable, except that it keeps
 * the strings whose numbers are in the rows.
 */
public final class RowLayout {
    private static final int INET_WORDS = 3;

    private final List<Variable> columns;
    private final int[] offsets;
    private final int strideBytes;
    private final SymbolSet strings;

    public RowLayout(List<Variable> columns) {
        this(columns, new SymbolSet());
    }

    /** Makes a layout for rows whose strings are those of other rows. */
    public RowLayout(List<Variable> columns, SymbolSet strings) {
        this.strings = strings;
        this.columns = List.copyOf(columns);
        offsets = new int[columns.size()];
        int offset = nullWords() * Long.BYTES;
        for (int c = 0; c < offsets.length; c++) {
            offsets[c] = offset;
            offset += words(kind(c)) * Long.BYTES;
        }
        strideBytes = offset;
    }

    /** Words that a value of this kind takes. */
    public static int words(Kind kind) {
        return kind == Kind.INET ? INET_WORDS : 1;
    }

    public List<Variable> columns() {
        return columns;
    }

    /** Returns the strings of the query: its literals, and texts in the keys of its groups. */
    public SymbolSet strings() {
        return strings;
    }

    public Kind kind(int column) {
        return columns.get(column).type().kind();
    }

    /** Words of the NULL bitmap. */
    public int nullWords() {
        return (columns.size() + Long.SIZE - 1) / Long.SIZE;
    }

    /** Bytes from a row's start to the column's first word. */
    public int offset(int column) {
        return offsets[column];
    }

    public int strideBytes() {
        return strideBytes;
    }

    /** The column of this name, or -1. */
    public int indexOf(String name) {
        for (int c = 0; c < columns.size(); c++) {
            if (columns.get(c).name().equals(name)) {
                return c;
            }
        }
        return -1;
    }
}
