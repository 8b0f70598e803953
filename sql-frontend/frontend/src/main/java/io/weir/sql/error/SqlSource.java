package io.weir.sql.error;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParserPos;

/** A text that a user wrote. It makes all errors that point into it. Immutable. */
public final class SqlSource {
    private static final int EXCERPT_COLUMNS = 100;
    private static final int QUOTE_COLUMNS = 40;

    private final String text;

    /**
     * Line ends of other systems become {@code \n}, so that all readers count the same lines. The
     * mark that some editors put at the start of a file (U+FEFF) is left out.
     */
    public SqlSource(String text) {
        String marked = text.replace("\r\n", "\n").replace('\r', '\n');
        this.text = marked.startsWith("\uFEFF") ? marked.substring(1) : marked;
    }

    public String text() {
        return text;
    }

    public WeirException error(ErrorCode code, SqlNode at, String message, String hint) {
        return error(code, at.getParserPosition(), message, hint);
    }

    public WeirException error(ErrorCode code, SqlParserPos at, String message, String hint) {
        return error(code, at.getLineNum(), at.getColumnNum(), message, hint);
    }

    /**
     * Makes an error with its place.
     *
     * @param line from 1; 0 when there is no place
     * @param hint the remedy, or null
     */
    public WeirException error(ErrorCode code, int line, int column, String message, String hint) {
        WeirException.Place place = line < 1 ? null : place(line, column);
        return new WeirException(code, oneLine(message), place, hint);
    }

    private WeirException.Place place(int line, int column) {
        int start = lineStart(line);
        int end = lineEnd(start);
        int at = Math.min(start + Math.max(column, 1) - 1, end);
        int from = at - start <= EXCERPT_COLUMNS - 20 ? start : at - EXCERPT_COLUMNS / 2;
        int to = Math.min(end, from + EXCERPT_COLUMNS);
        String before = (from > start ? "…" : "") + printable(text.substring(from, at));
        String after = printable(text.substring(at, to)) + (to < end ? "…" : "");
        String caret = before.replaceAll("[^\t]", " ") + "^";
        return new WeirException.Place(line, column, before + after + "\n" + caret);
    }

    /** Returns the offset of the first character of a line. */
    private int lineStart(int line) {
        int start = 0;
        for (int i = 1; i < line; i++) {
            int next = text.indexOf('\n', start);
            if (next < 0) {
                return text.length();
            }
            start = next + 1;
        }
        return start;
    }

    private int lineEnd(int start) {
        int end = text.indexOf('\n', start);
        return end < 0 ? text.length() : end;
    }

    /** Returns the user's text there, on one line and shortened, to name it in a message. */
    public String quote(SqlNode node) {
        SqlParserPos pos = node.getParserPosition();
        if (pos.getLineNum() < 1) {
            return node.toString();
        }
        int from = Math.min(lineStart(pos.getLineNum()) + pos.getColumnNum() - 1, text.length());
        int to = Math.min(lineStart(pos.getEndLineNum()) + pos.getEndColumnNum(), text.length());
        return shortened(text.substring(from, Math.max(from, to)).replaceAll("\\s+", " "));
    }

    /** Returns a piece of the text, short enough for a message. */
    public String shortened(String piece) {
        return piece.length() <= QUOTE_COLUMNS
                ? piece
                : piece.substring(0, QUOTE_COLUMNS - 1) + "…";
    }

    private static String oneLine(String message) {
        return printable(message).replaceAll("\\s+", " ");
    }

    /** Control characters would spoil a terminal. */
    private static String printable(String text) {
        return text.replaceAll("[\\p{Cc}&&[^\t\n]]", "?");
    }
}
