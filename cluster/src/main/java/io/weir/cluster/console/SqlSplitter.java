package io.weir.cluster.console;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.util.Optional;

/**
 * A script cut into statements at semicolons, those in quotes and comments aside. Where a statement
 * could begin, a line that begins with !, or that the console understands without a semicolon, is a
 * command, whose comments before it go. What follows the last semicolon is a statement too.
 *
 * <p>Reads line by line, and no further than the line that ends the statement asked for: the next
 * may not have been typed.
 */
final class SqlSplitter {
    private final BufferedReader in;

    /** Lines from the one on where the statement at hand begins. */
    private final StringBuilder text = new StringBuilder();

    private int start;
    private int at;
    private boolean begun;

    /** What ends the quotes or the comment that we are in; null when in none. */
    private String until;

    SqlSplitter(Reader script) {
        in = new BufferedReader(script);
    }

    /** The next statement or command; empty at the end. */
    Optional<String> next() throws IOException {
        while (at < text.length() || readLine()) {
            String piece = step();
            if (!piece.isEmpty()) {
                return Optional.of(piece);
            }
        }
        return Optional.of(take(at)).filter(piece -> !piece.isEmpty());
    }

    private boolean readLine() throws IOException {
        text.delete(0, start);
        at -= start;
        start = 0;
        int c = in.read();
        while (c >= 0 && c != '\n') {
            text.append((char) c);
            c = in.read();
        }
        if (c == '\n') {
            text.append('\n');
        }
        return at < text.length();
    }

    /** Goes on to the next token; what ends there, or nothing. */
    private String step() {
        if (until != null) {
            at = skipTo(until, at);
            return "";
        }
        int end = begun ? at : endOfCommand();
        if (end > at) {
            start = at;
            return take(end);
        } else if (text.charAt(at) == ';') {
            return take(at + 1);
        }
        at = next(at);
        return "";
    }

    /** Where a command that begins here ends; here, if none does. */
    private int endOfCommand() {
        char c = text.charAt(at);
        if (Character.isWhitespace(c)) {
            return at;
        }
        int newline = text.indexOf("\n", at);
        int end = newline < 0 ? text.length() : newline + 1;
        return c == '!' || ConsoleLine.endsWithItsLine(text.substring(at, end)) ? end : at;
    }

    /** The place after the token there. */
    private int next(int from) {
        char c = text.charAt(from);
        if (isAt(from, "--")) {
            return skipTo("\n", from);
        } else if (isAt(from, "/*")) {
            return skipTo("*/", from + 2);
        }
        begun |= !Character.isWhitespace(c);
        return c == '\'' || c == '"' ? skipTo(String.valueOf(c), from + 1) : from + 1;
    }

    private boolean isAt(int place, String token) {
        return place + token.length() <= text.length()
                && token.contentEquals(text.subSequence(place, place + token.length()));
    }

    private int skipTo(String end, int from) {
        int found = text.indexOf(end, from);
        until = found < 0 ? end : null;
        return found < 0 ? text.length() : found + end.length();
    }

    /** What is before a place, if it is anything. */
    private String take(int end) {
        String piece = text.substring(start, end).strip();
        at = end;
        start = end;
        begun = false;
        return piece.equals(";") ? "" : piece;
    }
}
