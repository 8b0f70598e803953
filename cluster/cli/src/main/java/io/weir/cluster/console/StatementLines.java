package io.weir.cluster.console;

import io.weir.operators.error.WeirException;
import io.weir.sql.parse.StatementCutter;
import io.weir.sql.parse.StatementCutter.Piece;
import java.util.Optional;
import org.jline.reader.EOFError;
import org.jline.reader.ParsedLine;
import org.jline.reader.impl.DefaultParser;
import sqlline.SqlLine;
import sqlline.SqlLineParser;

/**
 * Tells the line editor whether the typed text is whole: whether Enter ends it or begins another
 * line. The rules of sqlline have other quotes and escapes than Weir's SQL. The console's thread.
 */
final class StatementLines extends SqlLineParser {
    private final DefaultParser words = new DefaultParser();
    private boolean typing;

    StatementLines(SqlLine line) {
        super(line);
        words.setEofOnUnclosedQuote(false);
        words.setEofOnEscapedNewLine(false);
        words.setQuoteChars(new char[0]);
        words.setEscapeChars(new char[0]);
    }

    /** Sets whether statements are typed. Otherwise sqlline asks something. */
    void typing(boolean statements) {
        typing = statements;
    }

    @Override
    public ParsedLine parse(String line, int cursor, ParseContext context) {
        if (!typing || context != ParseContext.ACCEPT_LINE) {
            return super.parse(line, cursor, context);
        } else if (!isWhole(line)) {
            throw new EOFError(-1, -1, "the statement has no ; yet", "");
        }
        return words.parse(line, cursor, context);
    }

    /** Returns whether each statement in it has its semicolon. */
    static boolean isWhole(String typed) {
        StatementCutter cutter = new StatementCutter(PlainCommands::isCommand);
        try {
            cutter.append(typed.strip() + "\n");
            Optional<Piece> piece = cutter.next();
            while (piece.isPresent()) {
                piece = cutter.next();
            }
            return !cutter.isWithin();
        } catch (WeirException e) {
            return true; // it is too long: more lines would not help
        }
    }
}
