package io.weir.sql.parse;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.sql.error.SqlSource;
import io.weir.sql.grammar.Grammar;
import io.weir.sql.grammar.GrammarException;
import io.weir.sql.grammar.ParsedStatement;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * Turns text into trees: the statements of a text, each within bounds, with errors that help users.
 */
public final class StatementParser {
    /** The most parentheses and CASEs inside each other. */
    public static final int MAX_DEPTH = 64;

    /**
     * The most words and symbols of one statement. The grammar's time can grow with their square.
     */
    public static final int MAX_TOKENS = 10_000;

    /** The most characters of a name. */
    public static final int MAX_NAME_LENGTH = 128;

    /** The most digits of a number. No value needs more, and reading them is quadratic. */
    public static final int MAX_NUMBER_LENGTH = 100;

    /** The most statements of one text. */
    public static final int MAX_STATEMENTS = 1_000;

    private final SqlSource source;
    private final boolean takesPlaceholders;

    /**
     * @param takesPlaceholders whether there may be a {@code ?}
     */
    public StatementParser(SqlSource source, boolean takesPlaceholders) {
        this.source = source;
        this.takesPlaceholders = takesPlaceholders;
    }

    /** Returns the statements of the text, not yet parsed. */
    public List<StatementText> split() {
        List<StatementText> statements = StatementText.split(source.text(), Lexer.tokens(source));
        if (statements.size() > MAX_STATEMENTS) {
            throw error(
                    statements.get(MAX_STATEMENTS).first(),
                    "more than " + MAX_STATEMENTS + " statements in one text");
        }
        return statements;
    }

    /** Parses one statement. */
    public ParsedStatement parse(StatementText statement) {
        checkBounds(statement.tokens());
        Nesting nesting = new Nesting(source);
        nesting.check(statement.tokens());
        UnsupportedStatements.check(source, statement);
        Token first = statement.first();
        try {
            ParsedStatement parsed =
                    Grammar.parse(statement.readable(), first.line(), first.column());
            nesting.check(parsed);
            return parsed;
        } catch (GrammarException e) {
            throw new SyntaxError(source, statement).of(e);
        } catch (StackOverflowError e) {
            throw Nesting.tooDeep(source, new SqlParserPos(first.line(), first.column()));
        } catch (WeirException e) {
            throw e;
        } catch (RuntimeException e) {
            // The generated parser builds literals on the way. A few malformed ones escape its
            // checks.
            throw error(first, "the statement cannot be read");
        }
    }

    private void checkBounds(List<Token> tokens) {
        if (tokens.size() > MAX_TOKENS) {
            throw error(tokens.get(MAX_TOKENS), "the statement has over " + MAX_TOKENS + " words");
        }
        int depth = 0;
        for (Token token : tokens) {
            checkBounds(token);
            if (token.isSymbol('(') || token.isSymbol('[') || token.is("CASE")) {
                depth++;
            } else if (token.isSymbol(')') || token.isSymbol(']') || token.is("END")) {
                depth--;
            }
            if (depth > MAX_DEPTH) {
                throw error(token, "nested deeper than " + MAX_DEPTH + " levels");
            }
        }
    }

    /** The grammar would read 1_000 as a 1 with the alias _000. */
    private void checkNumber(Token token) {
        Optional<String> hint = ForeignSyntaxHints.number(token);
        if (hint.isPresent()) {
            throw source.error(
                    ErrorCode.SYNTAX,
                    token.line(),
                    token.column(),
                    "unexpected " + token.text(),
                    hint.get());
        }
    }

    private void checkBounds(Token token) {
        int length = token.text().length();
        boolean name = token.kind() == Token.Kind.WORD || token.kind() == Token.Kind.QUOTED_NAME;
        if (token.isSymbol('?') && !takesPlaceholders) {
            throw source.error(
                    ErrorCode.NOT_SUPPORTED,
                    token.line(),
                    token.column(),
                    "a parameter without a name (?) is not supported here",
                    "write the value itself; a PreparedStatement of JDBC takes ?, weir run :name");
        } else if (token.kind() == Token.Kind.NUMBER && length > MAX_NUMBER_LENGTH) {
            throw error(token, "the number has over " + MAX_NUMBER_LENGTH + " digits");
        } else if (token.kind() == Token.Kind.NUMBER) {
            checkNumber(token);
        } else if (name && length > MAX_NAME_LENGTH) {
            throw error(token, "the name has over " + MAX_NAME_LENGTH + " characters");
        }
    }

    private WeirException error(Token at, String message) {
        return source.error(ErrorCode.SYNTAX, at.line(), at.column(), message, null);
    }
}
