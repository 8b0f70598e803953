package io.weir.sql.parse;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.sql.error.SqlSource;
import io.weir.sql.error.Suggestion;
import io.weir.sql.grammar.GrammarException;
import java.util.List;
import java.util.Set;

/** What the grammar says, for people: what was unexpected, and at most a few things expected. */
final class SyntaxError {
    private static final int MOST_EXPECTED = 4;
    private static final int MANY = 40;
    private static final int LONGEST_TOKEN = 40;

    /** Words that a mistyped keyword is compared with. */
    private static final List<String> KEYWORDS =
            List.of(
                    "SELECT", "FROM", "WHERE", "GROUP", "HAVING", "ORDER", "LIMIT", "OFFSET",
                    "WHEN", "UNTIL", "CREATE", "QUERY", "REPLACE", "DROP", "SHOW", "DESCRIBE",
                    "EXPLAIN", "SUBSCRIBE", "QUERIES", "STREAMS", "FUNCTIONS", "INTERVAL",
                    "BETWEEN", "DISTINCT", "FILTER", "EXISTS", "KERNEL");

    private static final Set<String> CLASSES_OF_NAMES = Set.of("<IDENTIFIER>", "<QUOTED_IDENTIFIER>");

    private final SqlSource source;
    private final StatementText statement;

    SyntaxError(SqlSource source, StatementText statement) {
        this.source = source;
        this.statement = statement;
    }

    WeirException of(GrammarException e) {
        return NotYet.clause(source, statement).orElseGet(() -> syntax(e));
    }

    private WeirException syntax(GrammarException e) {
        boolean noStatement = e.reason() != null && e.reason().startsWith("Non-query expression");
        if (noStatement && e.column() == statement.first().column()) {
            return noStatement(statement.first());
        } else if (e.reason() != null) {
            return source.error(
                    ErrorCode.SYNTAX, e.line(), e.column(), lowerFirst(e.reason()), null);
        }
        String expected = expected(e.expected());
        String found = shown(e.found());
        String message = found.isEmpty() ? "the statement ends too early" : "unexpected " + found;
        String whole = expected.isEmpty() ? message : message + "; expected " + expected;
        Token last = statement.tokens().get(statement.tokens().size() - 1);
        int line = found.isEmpty() ? last.line() : e.line();
        int column = found.isEmpty() ? last.column() + last.text().length() : e.column();
        return source.error(ErrorCode.SYNTAX, line, column, whole, hint(e, expected));
    }

    /** The grammar has read an expression where a statement begins. */
    private WeirException noStatement(Token first) {
        String hint =
                Suggestion.hint(first.text(), KEYWORDS, "statements begin with SELECT or CREATE QUERY");
        return source.error(
                ErrorCode.SYNTAX,
                first.line(),
                first.column(),
                "unexpected " + shown(first.text()) + "; expected a statement",
                hint);
    }

    private String shown(String token) {
        String asWritten =
                token.equals("?") && !statement.parameters().isEmpty() ? "a parameter" : token;
        return asWritten.length() <= LONGEST_TOKEN
                ? asWritten
                : asWritten.substring(0, LONGEST_TOKEN - 1) + "…";
    }

    private static String expected(List<String> images) {
        boolean names = images.stream().anyMatch(CLASSES_OF_NAMES::contains);
        if (images.size() > MANY && images.contains("<QUOTED_STRING>")) {
            return "an expression";
        } else if (images.size() > MANY && names) {
            return "a name";
        }
        List<String> few = images.stream().map(SyntaxError::named).distinct().sorted().toList();
        return few.size() > MOST_EXPECTED ? "" : String.join(", ", few);
    }

    private static String named(String image) {
        return switch (image) {
            case "<EOF>" -> "the end";
            case "<QUOTED_STRING>", "<BIG_QUERY_QUOTED_STRING>", "<BIG_QUERY_DOUBLE_QUOTED_STRING>" ->
                    "a string";
            case "<UNSIGNED_INTEGER_LITERAL>" -> "a number";
            default -> image.startsWith("<") ? "a name" : image;
        };
    }

    private String hint(GrammarException e, String expected) {
        boolean word = !e.found().isEmpty() && Character.isLetter(e.found().charAt(0));
        if (word && expected.equals("a name")) {
            return "\"" + e.found() + "\" is a reserved word: as a name, put it in double quotes";
        }
        if (word) {
            return Suggestion.nearest(e.found(), KEYWORDS)
                    .filter(k -> !k.equalsIgnoreCase(e.found()))
                    .map(k -> "did you mean " + k + "?")
                    .orElse(null);
        }
        return e.found().equals("?") && statement.parameters().isEmpty()
                ? "a parameter has a name: write :name, and give it by --set name=value"
                : null;
    }

    private static String lowerFirst(String text) {
        return Character.toLowerCase(text.charAt(0)) + text.substring(1);
    }
}
