package io.weir.sql.equery;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.sql.error.SqlSource;
import io.weir.sql.parse.Lexer;
import io.weir.sql.parse.Token;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.parser.SqlParserPos;

/** Walks the tokens of Equery text. One use, one thread. */
final class EqueryCursor {
    private final SqlSource source;
    private final List<Token> tokens = new ArrayList<>();
    private int at;

    EqueryCursor(SqlSource source) {
        this.source = source;
        for (Token token : Lexer.tokens(source)) {
            if (token.kind() == Token.Kind.PARAMETER) {
                // The text q1:select has no space: Equery has no :parameters.
                tokens.add(part(token, Token.Kind.SYMBOL, 0, 1));
                tokens.add(part(token, Token.Kind.WORD, 1, token.text().length()));
            } else {
                tokens.add(token);
            }
        }
    }

    private static Token part(Token token, Token.Kind kind, int from, int to) {
        return new Token(
                kind,
                token.text().substring(from, to),
                token.offset() + from,
                token.line(),
                token.column() + from);
    }

    boolean isAtEnd() {
        return at == tokens.size();
    }

    /** Returns the token here, or null at the end. */
    Token peek() {
        return isAtEnd() ? null : tokens.get(at);
    }

    Token next(String expected) {
        if (isAtEnd()) {
            throw unexpected(expected);
        }
        return tokens.get(at++);
    }

    boolean isAt(String keyword) {
        return !isAtEnd() && peek().is(keyword);
    }

    boolean isAt(char symbol) {
        return !isAtEnd() && peek().isSymbol(symbol);
    }

    boolean take(char symbol) {
        boolean there = isAt(symbol);
        at += there ? 1 : 0;
        return there;
    }

    boolean take(String keyword) {
        boolean there = isAt(keyword);
        at += there ? 1 : 0;
        return there;
    }

    void expect(char symbol) {
        if (!take(symbol)) {
            throw unexpected(String.valueOf(symbol));
        }
    }

    Token word(String expected) {
        if (isAtEnd() || peek().kind() != Token.Kind.WORD) {
            throw unexpected(expected);
        }
        return tokens.get(at++);
    }

    /**
     * Returns a run of digits, letters, colons and points from here on: an address without quotes.
     */
    String run() {
        String text = source.text();
        int start = peek().offset();
        int end = start;
        while (end < text.length() && isOfAddress(text.charAt(end))) {
            end++;
        }
        return text.substring(start, end);
    }

    private static boolean isOfAddress(char c) {
        return Character.digit(c, 16) >= 0 || c == ':' || c == '.';
    }

    /** Moves past a run of this length. */
    void skip(int length) {
        int end = peek().offset() + length;
        while (!isAtEnd() && peek().offset() < end) {
            at++;
        }
    }

    SqlParserPos pos(Token token) {
        int end = token.column() + token.text().length() - 1;
        return new SqlParserPos(token.line(), token.column(), token.line(), end);
    }

    WeirException unexpected(String expected) {
        if (isAtEnd()) {
            Token last = tokens.isEmpty() ? null : tokens.get(tokens.size() - 1);
            int line = last == null ? 1 : last.line();
            int column = last == null ? 1 : last.column() + last.text().length();
            return source.error(
                    ErrorCode.SYNTAX,
                    line,
                    column,
                    "the text ends too early; expected " + expected,
                    null);
        }
        Token token = peek();
        return source.error(
                ErrorCode.SYNTAX,
                token.line(),
                token.column(),
                "unexpected " + source.shortened(token.text()) + "; expected " + expected,
                null);
    }

    WeirException error(ErrorCode code, Token at, String message, String hint) {
        return source.error(code, at.line(), at.column(), message, hint);
    }

    /** Returns the text from a token to the one before here. */
    String textFrom(Token first) {
        Token last = tokens.get(at - 1);
        return source.text().substring(first.offset(), last.offset() + last.text().length());
    }
}
