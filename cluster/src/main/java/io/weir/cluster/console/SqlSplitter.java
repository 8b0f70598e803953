package io.weir.cluster.console;

import java.util.ArrayList;
import java.util.List;

/**
 * A script cut into statements at semicolons, those in quotes and comments aside. A line that
 * begins with ! where a statement could is a command of the console. What follows the last
 * semicolon is a statement too.
 */
final class SqlSplitter {
    private final String text;
    private final List<String> pieces = new ArrayList<>();
    private int start;
    private int at;

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
            if (text.charAt(at) == '!' && text.substring(start, at).isBlank()) {
                at = skipTo("\n", at);
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

    /** The place after the token at hand. */
    private int next() {
        char c = text.charAt(at);
        if (c == '\'' || c == '"') {
            return skipTo(String.valueOf(c), at + 1);
        } else if (text.startsWith("--", at)) {
            return skipTo("\n", at);
        } else if (text.startsWith("/*", at)) {
            return skipTo("*/", at + 2);
        }
        return at + 1;
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
    }
}
