package io.weir.sql.parse;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.Suggestion;
import io.weir.operators.error.WeirException;
import io.weir.sql.error.SqlSource;
import io.weir.sql.grammar.GrammarException;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Explains the grammar's error to people: the unexpected token, and at most a few expected ones.
 */
final class SyntaxError {
    private static final int MOST_EXPECTED = 4;
    private static final int MANY = 40;

    /** Words that a mistyped keyword is compared with. */
    private static final List<String> KEYWORDS =
            List.of(
                    "SELECT",
                    "FROM",
                    "WHERE",
                    "GROUP",
                    "HAVING",
                    "ORDER",
                    "LIMIT",
                    "OFFSET",
                    "WHEN",
                    "UNTIL",
                    "CREATE",
                    "QUERY",
                    "AGGREGATE",
                    "STATE",
                    "UPDATE",
                    "RETURN",
                    "MERGE",
                    "REPLACE",
                    "DROP",
                    "SHOW",
                    "DESCRIBE",
                    "EXPLAIN",
                    "SUBSCRIBE",
                    "TEST",
                    "PAUSE",
                    "RESUME",
                    "ANALYZE",
                    "EXPECT",
                    "QUERIES",
                    "STREAMS",
                    "FUNCTIONS",
                    "AGGREGATES",
                    "ACCOUNT",
                    "EVENTS",
                    "SOURCE",
                    "SOURCES",
                    "BINDINGS",
                    "TABLES",
                    "WORKERS",
                    "AUDIT",
                    "COST",
                    "LOSS",
                    "INTERVAL",
                    "BETWEEN",
                    "DISTINCT",
                    "FILTER",
                    "EXISTS",
                    "KERNEL");

    private static final List<String> SHOWN =
            List.of(
                    "QUERIES",
                    "STREAMS",
                    "FUNCTIONS",
                    "AGGREGATES",
                    "ACCOUNT",
                    "EVENTS",
                    "SOURCES",
                    "BINDINGS",
                    "TABLES",
                    "WORKERS",
                    "AUDIT",
                    "QUERY COST",
                    "LOSS");

    private static final Set<String> CLASSES_OF_NAMES =
            Set.of("<IDENTIFIER>", "<QUOTED_IDENTIFIER>");

    /** Words before which a missing expression is more likely than a bad name. */
    private static final Set<String> BETWEEN_EXPRESSIONS =
            Set.of(
                    "FROM", "WHERE", "GROUP", "HAVING", "ORDER", "LIMIT", "OFFSET", "WHEN", "UNTIL",
                    "AS", "BY", "AND", "OR", "THEN", "ELSE", "IN", "IS", "LIKE", "BETWEEN", "ASC",
                    "DESC", "NULLS", "FOR");

    private final SqlSource source;
    private final StatementText statement;
    private final List<Token> tokens;

    SyntaxError(SqlSource source, StatementText statement) {
        this.source = source;
        this.statement = statement;
        tokens = statement.tokens();
    }

    WeirException of(GrammarException e) {
        return UnsupportedStatements.clause(source, statement).orElseGet(() -> syntax(e));
    }

    private WeirException syntax(GrammarException e) {
        boolean noStatement = e.reason() != null && e.reason().startsWith("Non-query expression");
        boolean atEnd = e.reason() == null && e.found().isEmpty();
        int index = atEnd ? -1 : indexOf(e.line(), e.column());
        if (index == 0 && (noStatement || e.reason() == null)) {
            return noStatement(statement.first());
        } else if (e.reason() != null) {
            return refused(e, index);
        } else if (e.found().isEmpty()) {
            return tooEarly(openParenthesis() ? ")" : expected(e.expected()));
        } else if (index > 0 && isOperator(tokens.get(index), e)) {
            // The grammar looks two tokens ahead, so it stops at the token after the operator.
            return index + 1 == tokens.size()
                    ? tooEarly("an expression")
                    : unexpected(index + 1, "an expression");
        }
        return unexpected(Math.max(index, 0), expected(index, e));
    }

    private String expected(int index, GrammarException e) {
        Token last = tokens.get(Math.max(0, index - 1));
        return last.is("OFFSET") || last.is("LIMIT") ? "a number" : expected(e.expected());
    }

    private WeirException refused(GrammarException e, int index) {
        Optional<Token> at = Optional.of(index).filter(i -> i >= 0).map(tokens::get);
        String hint = ForeignSyntaxHints.hint(e.reason(), at).orElse(null);
        return source.error(ErrorCode.SYNTAX, e.line(), e.column(), reason(e.reason()), hint);
    }

    private WeirException tooEarly(String expected) {
        Token last = tokens.get(tokens.size() - 1);
        return source.error(
                ErrorCode.SYNTAX,
                last.line(),
                last.column() + last.text().length(),
                "the statement ends too early" + suffix(expected),
                tokens.size() == 1 && last.is("SHOW") ? shows() : null);
    }

    private WeirException unexpected(int index, String expected) {
        Token token = tokens.get(index);
        return source.error(
                ErrorCode.SYNTAX,
                token.line(),
                token.column(),
                "unexpected " + shown(token) + suffix(expected),
                hint(index, expected));
    }

    private static String suffix(String expected) {
        return expected.isEmpty() ? "" : "; expected " + expected;
    }

    /** Returns the token at a place, which the grammar may have cut; -1 if there is none. */
    private int indexOf(int line, int column) {
        for (int i = 0; i < tokens.size(); i++) {
            Token token = tokens.get(i);
            int within = column - token.column();
            if (token.line() == line && within >= 0 && within < token.text().length()) {
                return i;
            }
        }
        return -1;
    }

    private static boolean isOperator(Token token, GrammarException e) {
        boolean symbol = token.kind() == Token.Kind.SYMBOL && "=<>!+-*/%|".contains(token.text());
        boolean word = token.is("AND") || token.is("OR");
        return (symbol || word) && e.expected().contains(token.upper());
    }

    private boolean openParenthesis() {
        return tokens.stream().filter(t -> t.isSymbol('(')).count()
                > tokens.stream().filter(t -> t.isSymbol(')')).count();
    }

    /** Makes the error for an expression at the begin of a statement. */
    private WeirException noStatement(Token first) {
        if (first.is("SUBSCRIBE")) { // the grammar knows it by a name
            return tokens.size() == 1 ? tooEarly("a name") : unexpected(1, "a name");
        }
        String hint =
                (first.is("DESC") ? Optional.of("DESCRIBE") : keyword(first))
                        .map(k -> "did you mean " + k + "?")
                        .orElse("statements begin with SELECT or CREATE QUERY");
        return source.error(
                ErrorCode.SYNTAX,
                first.line(),
                first.column(),
                "unexpected " + shown(first) + "; expected a statement",
                hint);
    }

    private String shown(Token token) {
        return source.shortened(token.text().replaceAll("\\s+", " "));
    }

    private static String expected(List<String> images) {
        boolean names = images.stream().anyMatch(CLASSES_OF_NAMES::contains);
        if (images.size() > MANY && images.contains("(")) {
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
            case "<QUOTED_STRING>",
                    "<BIG_QUERY_QUOTED_STRING>",
                    "<BIG_QUERY_DOUBLE_QUOTED_STRING>" ->
                    "a string";
            case "<UNSIGNED_INTEGER_LITERAL>" -> "a number";
            default -> image.startsWith("<") ? "a name" : image;
        };
    }

    private String hint(int index, String expected) {
        Token token = tokens.get(index);
        Optional<String> slip = new ForeignSyntaxHints(statement).hint(index);
        if (slip.isPresent()) {
            return slip.get();
        }
        boolean afterFilter = expected.equals("(") && tokens.get(index - 1).is("FILTER");
        if (afterFilter || expected.equals("an expression") && isReservedAfterDot(index)) {
            return reserved(tokens.get(afterFilter ? index - 1 : index + 1));
        } else if (token.kind() != Token.Kind.WORD) {
            return null;
        } else if (token.is("INTERVAL") && isParameter(index + 1)) {
            return "write it as INTERVAL (" + tokens.get(index + 1).text() + ") SECOND";
        } else if (expected.equals("a name")) {
            return reserved(token);
        } else if (index > 0 && tokens.get(index - 1).is("UNTIL")) {
            return "UNTIL follows WHEN condition";
        }
        if (index == 1 && tokens.get(0).is("SHOW")) {
            return Suggestion.hint(token.upper(), SHOWN, shows());
        } else if (statement.isAfterInterval(index)) {
            List<String> units = IntervalUnit.names();
            return Suggestion.hint(token.upper(), units, "units are " + String.join(", ", units));
        }
        Optional<String> order =
                isAfterOperand(index) ? ClauseOrder.hint(tokens, index) : Optional.empty();
        boolean named = expected.equals("an expression") && isNoClause(token);
        return order.or(() -> near(index)).orElse(named ? reserved(token) : null);
    }

    private boolean isParameter(int index) {
        return index < tokens.size()
                && (tokens.get(index).kind() == Token.Kind.PARAMETER
                        || tokens.get(index).isSymbol('?'));
    }

    private static String shows() {
        return "there are SHOW " + String.join(", ", SHOWN);
    }

    /** Returns whether a clause could end before this token. */
    private boolean isAfterOperand(int index) {
        Token last = tokens.get(Math.max(0, index - 1));
        return last.kind() == Token.Kind.SYMBOL
                ? last.isSymbol(')') || last.isSymbol('*')
                : isNoClause(last);
    }

    private Optional<String> near(int index) {
        return keyword(tokens.get(index))
                .or(() -> index > 0 ? keyword(tokens.get(index - 1)) : Optional.empty())
                .map(k -> "did you mean " + k + "?");
    }

    /** Returns whether a word that cannot stand here may have been meant as a name. */
    private static boolean isNoClause(Token token) {
        return !BETWEEN_EXPRESSIONS.contains(token.upper());
    }

    private boolean isReservedAfterDot(int index) {
        return tokens.get(index).isSymbol('.')
                && index + 1 < tokens.size()
                && tokens.get(index + 1).kind() == Token.Kind.WORD;
    }

    private static String reserved(Token token) {
        String time =
                token.is("TIME") || token.is("TIMESTAMP") ? "the time of a packet is ts; " : "";
        String word = "\"" + token.text() + "\"";
        return time + word + " is a reserved word: as a name, put it in double quotes";
    }

    /** Returns the keyword that a word misspells. */
    private static Optional<String> keyword(Token token) {
        boolean word =
                token.kind() == Token.Kind.WORD
                        && isNoClause(token)
                        && KEYWORDS.stream().noneMatch(token::is);
        return word ? Suggestion.nearest(token.text(), KEYWORDS) : Optional.empty();
    }

    /** Returns Calcite's sentence, without parts about its own grammar. */
    private static String reason(String text) {
        String own = text.replace(" under the current SQL conformance level", "");
        int expecting = own.indexOf(". Was expecting");
        String sentence = expecting < 0 ? own : own.substring(0, expecting);
        boolean keyword = sentence.length() > 1 && Character.isUpperCase(sentence.charAt(1));
        return keyword
                ? sentence
                : Character.toLowerCase(sentence.charAt(0)) + sentence.substring(1);
    }
}
