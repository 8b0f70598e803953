package io.weir.cluster.console;

import java.util.ArrayList;
import java.util.List;

/**
 * A script cut into statements at semicolons, those in quotes and comments aside. Where a statement
 * could begin, a line that begins with !, or that the console understands without a semicolon, is a
 * command, whose comments before it go. What follows the last semicolon is a statement too.
 */
final class SqlSplitter {
    private final String text;
    private final List<String> pieces = new ArrayList<>();
    private int start;
    private int at;
    private boolean begun;

    private SqlSplitter(String text) {
        this.text = text;
    }

    static List<String> split(String text) {
        SqlSplitter splitter = new SqlSplitter(text);
        splitter.run();
        return splitter.pieces;
    }

    private void run() {
        while (at < text.length()) {
            int end = begun ? at : endOfCommand();
            if (end > at) {
                start = at;
                at = end;
                take(at);
            } else if (text.charAt(at) == ';') {
                at++;
                take(at);
            } else {
                at = next();
            }
        }
        take(at);
    }

    /** Where a command that begins here ends; here, if none does. */
    private int endOfCommand() {
        char c = text.charAt(at);
        if (Character.isWhitespace(c)) {
            return at;
        }
        int end = skipTo("\n", at);
        return c == '!' || ConsoleLine.endsWithItsLine(text.substring(at, end)) ? end : at;
    }

    /** The place after the token at hand. */
    private int next() {
        char c = text.charAt(at);
        if (text.startsWith("--", at)) {
            return skipTo("\n", at);
        } else if (text.startsWith("/*", at)) {
            return skipTo("*/", at + 2);
        }
        begun |= !Character.isWhitespace(c);
        return c == '\'' || c == '"' ? skipTo(String.valueOf(c), at + 1) : at + 1;
    }

    private int skipTo(String end, int from) {
        int found = text.indexOf(end, from);
        return found < 0 ? text.length() : found + end.length();
    }

    private void take(int end) {
        String piece = text.substring(start, end).strip();
        if (!piece.isEmpty() && !piece.equals(";")) {
            pieces.add(piece);
        }
        start = end;
        begun = false;
    }
}
