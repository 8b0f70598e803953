package io.weir.cluster.console;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.sql.parse.StatementCutter;
import io.weir.sql.parse.StatementCutter.Piece;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.CharacterCodingException;
import java.util.Optional;

/**
 * Reads the statements and commands of a script, in order. It reads no further than the line that
 * ends the current one, because the next line may not be written yet. One thread.
 */
final class ScriptLines {
    /** The most characters of a line. A file that is no script ends here. */
    private static final int LONGEST_LINE = 1 << 24;

    private final BufferedReader in;
    private final StatementCutter cutter = new StatementCutter(PlainCommands::isCommand);
    private boolean afterReturn;
    private boolean begun;

    ScriptLines(Reader script) {
        in = new BufferedReader(script);
    }

    /**
     * Returns the next one; empty at the end. Throws SYNTAX if it does not end, UNREADABLE_INPUT if
     * the script is no text.
     */
    Optional<Piece> next() throws IOException {
        Optional<Piece> piece = cutter.next();
        while (piece.isEmpty()) {
            String line = line();
            if (line.isEmpty()) {
                return cutter.rest();
            }
            cutter.append(line);
            piece = cutter.next();
        }
        return piece;
    }

    /** Returns a line with its end, which is always {@code \n}; empty at the end of the script. */
    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        try {
            for (int c = read(); c >= 0; c = read()) {
                line.append((char) c);
                if (c == '\n') {
                    break;
                } else if (line.length() > LONGEST_LINE) {
                    throw unreadable("has a line of over " + LONGEST_LINE + " characters");
                }
            }
        } catch (CharacterCodingException e) {
            throw unreadable("is not UTF-8 text");
        }
        return line.toString();
    }

    /** Returns the next character, without the mark that a file may begin with. */
    private int read() throws IOException {
        int c = in.read();
        if (c == '\n' && afterReturn || c == '\uFEFF' && !begun) {
            c = in.read();
        }
        begun = true;
        afterReturn = c == '\r';
        return afterReturn ? '\n' : c;
    }

    private static WeirException unreadable(String what) {
        return new WeirException(ErrorCode.UNREADABLE_INPUT, "the script " + what);
    }
}
