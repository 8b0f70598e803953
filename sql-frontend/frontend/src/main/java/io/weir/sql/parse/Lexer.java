package io.weir.sql.parse;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.sql.error.SqlSource;
import java.util.ArrayList;
import java.util.List;

/**
 * Splits text into tokens, before the grammar sees it. This finds the ends of statements, bounds
 * the input of the recursive parser, and names parameters. Linear in the text. One use, one thread.
 */
public final class Lexer {
    /** The most characters of one text. */
    public static final int MAX_CHARACTERS = 1 << 20;

    private final SqlSource source;
    private final String text;
    private final List<Token> tokens = new ArrayList<>();
    private int at;
    private int line = 1;
    private int lineStart;

    private Lexer(SqlSource source) {
        this.source = source;
        text = source.text();
    }

    /** Returns the tokens of a text. Throws SYNTAX at an open string or comment. */
    public static List<Token> tokens(SqlSource source) {
        checkLength(source.text().length());
        return new Lexer(source).all();
    }

    static void checkLength(int characters) {
        if (characters > MAX_CHARACTERS) {
            throw new WeirException(
                    ErrorCode.SYNTAX,
                    "the text has "
                            + characters
                            + " characters; at most "
                            + MAX_CHARACTERS
                            + " are read");
        }
    }

    private List<Token> all() {
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c == '\n') {
                at++;
                newLine();
            } else if (Character.isWhitespace(c)) {
                at++;
            } else if (starts("--")) {
                at = Enclosure.end(text, at, at);
            } else if (starts("/*")) {
                comment();
            } else if (starts("//")) {
                throw source.error(
                        ErrorCode.SYNTAX,
                        line,
                        at - lineStart + 1,
                        "there is no operator //",
                        "integers divide by /; comments begin with --");
            } else {
                token(c);
            }
        }
        return tokens;
    }

    private void token(char c) {
        if (c == '\'') {
            quoted(Token.Kind.STRING, "string");
        } else if (c == '"') {
            quoted(Token.Kind.QUOTED_NAME, "quoted name");
        } else if (isWordStart(c)) {
            add(Token.Kind.WORD, wordEnd(at));
        } else if (isDigit(c)) {
            add(Token.Kind.NUMBER, numberEnd());
        } else if (c == ':' && at + 1 < text.length() && isWordStart(text.charAt(at + 1))) {
            add(Token.Kind.PARAMETER, wordEnd(at + 1));
        } else {
            add(Token.Kind.SYMBOL, at + 1);
        }
    }

    private boolean starts(String mark) {
        return text.startsWith(mark, at);
    }

    private void newLine() {
        line++;
        lineStart = at;
    }

    private void add(Token.Kind kind, int end) {
        tokens.add(new Token(kind, text.substring(at, end), at, line, at - lineStart + 1));
        at = end;
    }

    private void comment() {
        int end = Enclosure.end(text, at, at);
        if (starts("/*+")) {
            throw source.error(
                    ErrorCode.NOT_SUPPORTED,
                    line,
                    at - lineStart + 1,
                    "hints (/*+ … */) are not supported",
                    "leave it out; without the + it is a comment");
        } else if (end == Enclosure.OPEN) {
            throw open("comment");
        }
        countLines(at, end);
        at = end;
    }

    /** Strings may span lines; positions after them still hold. */
    private void quoted(Token.Kind kind, String what) {
        int end = Enclosure.end(text, at, at);
        if (end == Enclosure.OPEN) {
            throw open(what);
        }
        int start = at;
        add(kind, end);
        countLines(start, end);
    }

    private void countLines(int start, int end) {
        for (int i = start; i < end; i++) {
            if (text.charAt(i) == '\n') {
                line++;
                lineStart = i + 1;
            }
        }
    }

    private WeirException open(String what) {
        return source.error(
                ErrorCode.SYNTAX, line, at - lineStart + 1, "this " + what + " does not end", null);
    }

    private int wordEnd(int start) {
        int end = start;
        while (end < text.length() && isWordPart(text.charAt(end))) {
            end++;
        }
        return end;
    }

    /** Digits, letters (0x1f, 1e6), points, and the sign of an exponent. */
    private int numberEnd() {
        int end = at;
        while (end < text.length()) {
            char c = text.charAt(end);
            char previous = end > at ? text.charAt(end - 1) : '0';
            boolean exponent = (c == '+' || c == '-') && (previous == 'e' || previous == 'E');
            if (!isWordPart(c) && c != '.' && !exponent) {
                break;
            }
            end++;
        }
        return end;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static boolean isWordStart(char c) {
        return Character.isLetter(c) || c == '_' || c == '$';
    }

    private static boolean isWordPart(char c) {
        return Character.isLetterOrDigit(c) || c == '_' || c == '$';
    }
}
