package io.weir.sql.parse;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One statement's text for the grammar. Two things are spelled differently there, at the same
 * length so that positions hold. A {@code :name} is a {@code ?}, and units below the second are
 * SECOND. The original text is stored beside it.
 */
public final class StatementText {
    private final List<Token> tokens;
    private final String original;
    private final StringBuilder readable;
    private final List<String> parameters = new ArrayList<>();
    private final Map<Place, Long> unitsNs = new HashMap<>();

    private record Place(int line, int column) {}

    private StatementText(String text, List<Token> tokens) {
        this.tokens = List.copyOf(tokens);
        int start = tokens.get(0).offset();
        original = text.substring(start, tokens.get(tokens.size() - 1).end());
        readable = new StringBuilder(original);
        for (int i = 0; i < tokens.size(); i++) {
            Token token = tokens.get(i);
            if (token.kind() == Token.Kind.PARAMETER) {
                parameters.add(token.text().substring(1));
                respell(token, "?");
            } else if (token.isSymbol('?')) {
                parameters.add(token.text());
            } else {
                smallUnit(i).ifPresent(unit -> respell(token, unit));
            }
        }
    }

    /** Splits a text into statements: the non-empty parts between semicolons. */
    public static List<StatementText> split(String text, List<Token> tokens) {
        List<StatementText> statements = new ArrayList<>();
        List<Token> current = new ArrayList<>();
        for (Token token : tokens) {
            if (!token.isSymbol(';')) {
                current.add(token);
            } else if (!current.isEmpty()) {
                statements.add(new StatementText(text, current));
                current.clear();
            }
        }
        if (!current.isEmpty()) {
            statements.add(new StatementText(text, current));
        }
        return statements;
    }

    private Optional<IntervalUnit> smallUnit(int index) {
        return isAfterInterval(index)
                ? IntervalUnit.of(tokens.get(index).text())
                        .filter(unit -> unit.ns() < IntervalUnit.SECOND.ns())
                : Optional.empty();
    }

    private void respell(Token token, IntervalUnit unit) {
        unitsNs.put(new Place(token.line(), token.column()), unit.ns());
        respell(token, IntervalUnit.SECOND.name());
    }

    /** Returns whether the unit of an interval stands, or should stand, at this token. */
    boolean isAfterInterval(int index) {
        return index >= 2
                && isValue(tokens.get(index - 1))
                && (tokens.get(index - 2).is("INTERVAL")
                        || index >= 3 && tokens.get(index - 3).is("INTERVAL"));
    }

    private static boolean isValue(Token token) {
        return token.kind() == Token.Kind.STRING || token.kind() == Token.Kind.NUMBER;
    }

    private void respell(Token token, String text) {
        int from = token.offset() - tokens.get(0).offset();
        int length = token.text().length();
        readable.replace(from, from + length, text + " ".repeat(length - text.length()));
    }

    public List<Token> tokens() {
        return tokens;
    }

    public Token first() {
        return tokens.get(0);
    }

    /** Returns the text as the user wrote it. */
    public String original() {
        return original;
    }

    /** Returns the text for the grammar. */
    String readable() {
        return readable.toString();
    }

    /** Returns the names of the {@code ?}s, in order. A {@code ?} of the user has that name. */
    public List<String> parameters() {
        return parameters;
    }

    /** Returns the nanoseconds of the unit at a place that reads SECOND. */
    public long secondNs(int line, int column) {
        return unitsNs.getOrDefault(new Place(line, column), IntervalUnit.SECOND.ns());
    }
}
