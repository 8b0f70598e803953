package io.weir.sql.parse;

import java.util.Locale;

/**
 * A piece of SQL text, comments and white space left out.
 *
 * @param text as written
 * @param offset of its first character in the text
 * @param line from 1
 * @param column from 1
 */
public record Token(Kind kind, String text, int offset, int line, int column) {
    /** The kind of a token. */
    public enum Kind {
        WORD,
        NUMBER,
        /** In single quotes, which belong to the text. */
        STRING,
        /** A name in double quotes, which belong to the text. */
        QUOTED_NAME,
        /** {@code :name}. */
        PARAMETER,
        /** One character. */
        SYMBOL
    }

    /** Returns whether it is this keyword, in any case. */
    public boolean is(String keyword) {
        return kind == Kind.WORD && text.equalsIgnoreCase(keyword);
    }

    public boolean isSymbol(char symbol) {
        return kind == Kind.SYMBOL && text.charAt(0) == symbol;
    }

    public String upper() {
        return text.toUpperCase(Locale.ROOT);
    }

    public int end() {
        return offset + text.length();
    }
}
