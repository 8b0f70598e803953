package io.weir.sql.parse;

/**
 * Finds the end of a string, a quoted name or a comment. The lexer and the cutter of scripts both
 * use it. So no semicolon inside one ends a statement.
 */
final class Enclosure {
    /** The answer if the text ends first. */
    static final int OPEN = -1;

    private Enclosure() {}

    /**
     * Returns the offset behind the enclosure that begins at {@code at}. It is {@code at} itself if
     * none begins there, and {@link #OPEN} if the text ends inside it. A comment of one line ends
     * before its newline, and is never open.
     *
     * @param from {@code at}, or the length of the text of an earlier call that answered OPEN: the
     *     part before is not read again
     */
    static int end(CharSequence text, int at, int from) {
        char c = text.charAt(at);
        if (c == '\'' || c == '"') {
            return quoteEnd(text, c, Math.max(at + 1, from));
        } else if (isAt(text, at, '-', '-')) {
            return lineEnd(text, at);
        } else if (isAt(text, at, '/', '*')) {
            return commentEnd(text, Math.max(at + 2, from));
        }
        return at;
    }

    private static boolean isAt(CharSequence text, int at, char first, char second) {
        return text.charAt(at) == first && at + 1 < text.length() && text.charAt(at + 1) == second;
    }

    /** A doubled quote stands for one. */
    private static int quoteEnd(CharSequence text, char quote, int from) {
        int end = from;
        while (end < text.length()) {
            if (text.charAt(end) != quote) {
                end++;
            } else if (end + 1 < text.length() && text.charAt(end + 1) == quote) {
                end += 2;
            } else {
                return end + 1;
            }
        }
        return OPEN;
    }

    private static int lineEnd(CharSequence text, int from) {
        int end = from;
        while (end < text.length() && text.charAt(end) != '\n') {
            end++;
        }
        return end;
    }

    private static int commentEnd(CharSequence text, int from) {
        for (int end = from; end + 1 < text.length(); end++) {
            if (isAt(text, end, '*', '/')) {
                return end + 2;
            }
        }
        return OPEN;
    }
}
