package io.weir.sql.parse;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Hints for users of other languages: the same thing in Weir's SQL. */
final class ForeignSyntaxHints {
    private static final Pattern NUMBER =
            Pattern.compile("0[xX][0-9a-fA-F]+|\\d+(\\.\\d*)?([eE][+-]?\\d+)?");
    private static final Pattern ADDRESS = Pattern.compile("\\d+\\.\\d+\\.[\\d.]*");

    private static final Set<String> LISTS = Set.of("SELECT", "BY");
    private static final Set<String> CLAUSES =
            Set.of("SELECT", "FROM", "WHERE", "GROUP", "BY", "HAVING", "ORDER", "LIMIT", "WHEN");

    private final StatementText statement;
    private final List<Token> tokens;

    ForeignSyntaxHints(StatementText statement) {
        this.statement = statement;
        tokens = statement.tokens();
    }

    /** Returns the hint for a token that cannot stand there. */
    Optional<String> hint(int index) {
        Token token = tokens.get(index);
        return switch (token.kind()) {
            case SYMBOL -> symbol(index).or(() -> before(index));
            case NUMBER -> number(token).or(() -> before(index));
            case WORD -> word(index).or(() -> before(index));
            default -> before(index);
        };
    }

    /** Returns the hint for a sentence of the grammar itself. */
    static Optional<String> hint(String reason, Optional<Token> at) {
        if (reason.startsWith("BETWEEN")) {
            return Optional.of("write it as x BETWEEN 1 AND 2");
        } else if (reason.matches("'(LIMIT|OFFSET) start.*")) {
            return Optional.of("write it as LIMIT count OFFSET start");
        } else if (reason.contains("alias")) {
            return Optional.of("a name is in double quotes, or in none");
        }
        return at.flatMap(ForeignSyntaxHints::foreign);
    }

    private static Optional<String> foreign(Token symbol) {
        return switch (symbol.text()) {
            case "`" -> Optional.of("names are put in double quotes");
            case "#" -> Optional.of("comments begin with --");
            case "~" -> Optional.of("BITNOT(x) is");
            default -> Optional.empty();
        };
    }

    private Optional<String> symbol(int index) {
        Token token = tokens.get(index);
        if (token.isSymbol('=') && is(index - 1, '=')) {
            return Optional.of("equality is =");
        } else if (token.isSymbol('&') && is(index + 1, '&')) {
            return Optional.of("write AND");
        } else if (token.isSymbol(':')) {
            return Optional.of("a cast is CAST(x AS BIGINT); an address is put in quotes");
        } else if (token.isSymbol('|')) {
            return Optional.of("BITOR(x, y) is");
        } else if (token.isSymbol('*') && index > 0 && tokens.get(index - 1).is("DISTINCT")) {
            return Optional.of("name the columns: COUNT(DISTINCT src_addr, dst_addr)");
        } else if (isAfterUnitlessInterval(index)) {
            return Optional.of("write it as INTERVAL '1' SECOND");
        } else if (token.isSymbol('(') && isCallAfterItem(index - 1)) {
            return missingComma(index - 1);
        }
        return Optional.empty();
    }

    private Optional<String> missingComma(int index) {
        return Optional.of("a comma is missing before " + tokens.get(index).text());
    }

    /**
     * Returns whether a name follows an item of a list. The grammar takes it for the item's alias.
     */
    private boolean isCallAfterItem(int index) {
        Token name = tokens.get(Math.max(0, index));
        if (index < 1 || name.kind() != Token.Kind.WORD || CLAUSES.contains(name.upper())) {
            return false;
        }
        Token last = tokens.get(index - 1);
        boolean item = last.kind() != Token.Kind.SYMBOL || is(index - 1, ')');
        return item && !last.is("AS") && isInList(index - 1);
    }

    private boolean isInList(int index) {
        for (int i = index; i >= 0; i--) {
            if (CLAUSES.contains(tokens.get(i).upper())) {
                return i < index && LISTS.contains(tokens.get(i).upper());
            }
        }
        return false;
    }

    private boolean isAfterUnitlessInterval(int index) {
        return index >= 2
                && tokens.get(index - 1).kind() == Token.Kind.STRING
                && tokens.get(index - 2).is("INTERVAL");
    }

    /** Returns the hint for a malformed number. */
    static Optional<String> number(Token token) {
        String text = token.text();
        if (NUMBER.matcher(text).matches()) {
            return Optional.empty();
        } else if (ADDRESS.matcher(text).matches()) {
            return Optional.of("an address is put in quotes: '10.0.0.1'");
        }
        return Optional.of("numbers are written as 1000, 0.5, 1e6 or 0x1f");
    }

    private Optional<String> word(int index) {
        Token token = tokens.get(index);
        boolean afterValue = index > 0 && isValue(tokens.get(index - 1));
        if (isAfterUnitlessInterval(index) && tokens.get(index - 1).text().matches(".*\\p{L}.*")) {
            return Optional.of("write it as INTERVAL '1' SECOND");
        } else if (token.is("IN")) {
            return Optional.of("IN takes values in parentheses: IN (80, 443)");
        } else if (afterValue
                && !statement.isAfterInterval(index)
                && IntervalUnit.of(token.text()).isPresent()) {
            return Optional.of("write it as INTERVAL '1' SECOND");
        } else if (token.is("FILTER") && endsCallOfFirst(index - 1)) {
            return Optional.of("FIRST and LAST take none: write FIRST(CASE WHEN … THEN x END)");
        } else if (token.is("AS") && count("CASE", index) > count("END", index)) {
            return Optional.of("CASE ends with END");
        } else if (index == 1 && tokens.get(0).is("EXPLAIN")) {
            return Optional.of("EXPLAIN takes a query: EXPLAIN SELECT …");
        } else if (is(index + 1, '(') && isCallAfterItem(index)) {
            return missingComma(index);
        }
        return Optional.empty();
    }

    /** Returns whether a FIRST(…) or LAST(…) ends there, which take no FILTER. */
    private boolean endsCallOfFirst(int index) {
        int open = index;
        int depth = 0;
        do {
            depth += is(open, ')') ? 1 : is(open, '(') ? -1 : 0;
            open--;
        } while (open >= 0 && depth > 0);
        return open >= 0 && (tokens.get(open).is("FIRST") || tokens.get(open).is("LAST"));
    }

    /** Returns the hint that the word before the token gives. */
    private Optional<String> before(int index) {
        Token last = tokens.get(Math.max(0, index - 1));
        if (last.is("LIMIT") || last.is("OFFSET")) {
            return Optional.of(last.upper() + " takes a whole number of rows, from 0");
        } else if (last.is("TOP")) {
            return Optional.of("write LIMIT after ORDER BY");
        }
        return Optional.empty();
    }

    private static boolean isValue(Token token) {
        return token.kind() == Token.Kind.STRING || token.kind() == Token.Kind.NUMBER;
    }

    private long count(String word, int end) {
        return tokens.subList(0, end).stream().filter(t -> t.is(word)).count();
    }

    private boolean is(int index, char symbol) {
        return index >= 0 && index < tokens.size() && tokens.get(index).isSymbol(symbol);
    }
}
