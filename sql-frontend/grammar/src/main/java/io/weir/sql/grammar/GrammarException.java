package io.weir.sql.grammar;

import java.util.List;

/**
 * The grammar does not accept the text. It has the place, the token there, and the expected ones.
 */
public final class GrammarException extends Exception {
    private static final long serialVersionUID = 1L;

    private final int line;
    private final int column;
    private final String found;
    private final transient List<String> expected;
    private final String reason;

    GrammarException(int line, int column, String found, List<String> expected, String reason) {
        super(reason == null ? "unexpected " + found : reason);
        this.line = line;
        this.column = column;
        this.found = found;
        this.expected = List.copyOf(expected);
        this.reason = reason;
    }

    public int line() {
        return line;
    }

    public int column() {
        return column;
    }

    /** Returns the unexpected token; empty at the end of the text, or when there is a reason. */
    public String found() {
        return found;
    }

    /**
     * Returns images of the expected tokens: keywords, symbols, or names of token classes in angle
     * brackets. There can be hundreds.
     */
    public List<String> expected() {
        return expected;
    }

    /**
     * Returns a rule of the grammar that was broken, in words; null when a token was unexpected.
     */
    public String reason() {
        return reason;
    }
}
