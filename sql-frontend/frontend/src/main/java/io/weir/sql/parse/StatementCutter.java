package io.weir.sql.parse;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.error.WeirException.Place;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Cuts a script into its statements while it is still being read. Lines go in one by one. A
 * statement comes out once its semicolon is there. The pieces are those that {@link
 * StatementParser#split} finds in the whole text. One thread.
 */
public final class StatementCutter {
    /**
     * The most characters of a command's line. Without a bound a long line would be read for each
     * statement.
     */
    private static final int LONGEST_COMMAND = 4_096;

    private final Predicate<String> commands;

    /** Lines that are not cut yet, from the current statement on. */
    private final StringBuilder text = new StringBuilder();

    private int at;
    private int line = 1;
    private int column = 1;

    /** Offset of the first character of the current statement; negative if none has begun. */
    private int start = -1;

    private int startLine;
    private int startColumn;

    /** The end of the part of an open enclosure that was already searched. */
    private int resume;

    /**
     * A piece of the script.
     *
     * @param text without its semicolon and the comments before it
     * @param line of its first character in the script, from 1
     * @param column of it, from 1
     */
    public record Piece(String text, int line, int column) {}

    /**
     * @param commands tells whether a line, or its rest, is a command that ends with the line. It
     *     is asked only where a statement could begin
     */
    public StatementCutter(Predicate<String> commands) {
        this.commands = commands;
    }

    /**
     * Adds more of the script.
     *
     * @param next with its {@code \n}, which the last line need not have
     */
    public void append(String next) {
        int done = start < 0 ? at : start;
        text.delete(0, done).append(next);
        at -= done;
        resume = Math.max(0, resume - done);
        start = start < 0 ? -1 : 0;
    }

    /** Returns the next piece; empty if its end needs more lines. */
    public Optional<Piece> next() {
        while (at < text.length()) {
            int end = Enclosure.end(text, at, resume);
            if (end == Enclosure.OPEN) {
                resume = text.length();
                break;
            }
            resume = 0;
            Optional<Piece> piece = step(end);
            if (piece.isPresent()) {
                return piece;
            }
        }
        Lexer.checkLength(text.length() - (start < 0 ? at : start));
        return Optional.empty();
    }

    /** Returns whether a statement or a comment has begun that has not ended. */
    public boolean isWithin() {
        return start >= 0 || at < text.length();
    }

    /**
     * Returns the last statement of the script, if it has no semicolon. Throws SYNTAX if a string,
     * a quoted name or a comment is open.
     */
    public Optional<Piece> rest() {
        if (at < text.length()) {
            throw open();
        }
        Optional<Piece> last = start < 0 ? Optional.empty() : Optional.of(piece(at));
        start = -1;
        return last;
    }

    private Optional<Piece> step(int end) {
        char c = text.charAt(at);
        if (c == ';') {
            Optional<Piece> piece = start < 0 ? Optional.empty() : Optional.of(piece(at));
            advance(at + 1);
            start = -1;
            return piece;
        } else if (Character.isWhitespace(c) || isComment(c, end)) {
            advance(Math.max(end, at + 1));
            return Optional.empty();
        }
        if (start < 0) {
            int lineEnd = lineEnd();
            begin();
            if (commands.test(text.substring(at, lineEnd))) {
                advance(lineEnd);
                Piece command = piece(at);
                start = -1;
                return Optional.of(command);
            }
        }
        advance(Math.max(end, at + 1));
        return Optional.empty();
    }

    private boolean isComment(char c, int end) {
        return end > at && c != '\'' && c != '"';
    }

    /** Returns the end of the line, or of as much of it as a command can have. */
    private int lineEnd() {
        int end = at;
        while (end < text.length() && end - at < LONGEST_COMMAND && text.charAt(end) != '\n') {
            end++;
        }
        return end;
    }

    private void begin() {
        if (start < 0) {
            start = at;
            startLine = line;
            startColumn = column;
        }
    }

    private Piece piece(int end) {
        return new Piece(text.substring(start, end).strip(), startLine, startColumn);
    }

    private void advance(int end) {
        for (; at < end; at++) {
            boolean newline = text.charAt(at) == '\n';
            line += newline ? 1 : 0;
            column = newline ? 1 : column + 1;
        }
    }

    private WeirException open() {
        char c = text.charAt(at);
        String what = c == '\'' ? "string" : c == '"' ? "quoted name" : "comment";
        Place excerpt = Place.in(text.substring(at, lineEnd()), 1, 1);
        return new WeirException(
                ErrorCode.SYNTAX,
                "this " + what + " does not end",
                new Place(line, column, excerpt.excerpt()),
                null);
    }
}
