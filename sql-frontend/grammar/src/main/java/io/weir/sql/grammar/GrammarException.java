package io.weir.sql.grammar;

import java.util.List;

/** Text that the grammar does not accept: where, what stood there, what could have. */
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

    /** The unexpected token; empty at the end of the text, or when there is a reason. */
    public String found() {
        return found;
    }

    /**
     * Images of the tokens that could have stood there: keywords, symbols, or names of token
     * classes in angle brackets. There can be hundreds.
     */
    public List<String> expected() {
        return expected;
    }

    /** A rule of the grammar that was broken, in words; null when a token was unexpected. */
    public String reason() {
        return reason;
    }
}
