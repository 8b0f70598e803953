package io.weir.operators.kernel.code;

import io.weir.operators.graph.Code;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.Symbols;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * A value as Java expressions. They have no side effects, never throw, and need no more parentheses
 * inside a larger expression.
 *
 * @param nul a boolean expression; null if the value is never NULL
 * @param code a long, a double for DOUBLE, a boolean for BOOLEAN, the low word of an INET, a String
 *     for a text. It has no meaning if the value is NULL
 * @param family of an INET
 * @param high of an INET
 * @param isText whether it is a VARCHAR that has no number yet. Only keys, folds and rows need one
 */
record Value(Kind kind, String nul, String code, String family, String high, boolean isText) {
    private static final Pattern SIMPLE = Pattern.compile("\\w+|\\w+\\.[A-Z_]+|[0-9.]+");

    static Value of(Kind kind, String code) {
        return new Value(kind, null, code, null, null, false);
    }

    static Value text(String code) {
        return new Value(Kind.VARCHAR, null, code, null, null, true);
    }

    static Value inet(String family, String high, String low) {
        return new Value(Kind.INET, null, low, family, high, false);
    }

    static Value nullOf(Kind kind) {
        boolean inet = kind == Kind.INET;
        String zero = kind == Kind.BOOLEAN ? "false" : kind == Kind.DOUBLE ? "0.0" : "0L";
        return new Value(kind, "true", zero, inet ? "4L" : null, inet ? "0L" : null, false);
    }

    Value withNull(String newNul) {
        return new Value(kind, newNul, code, family, high, isText);
    }

    /** Maps all expressions except {@code nul}. */
    Value mapWords(UnaryOperator<String> change) {
        boolean inet = kind == Kind.INET;
        return new Value(
                kind,
                nul,
                change.apply(code),
                inet ? change.apply(family) : null,
                inet ? change.apply(high) : null,
                isText);
    }

    /** Returns an expression for the string of a VARCHAR. */
    String string() {
        return isText ? code : Code.call(Symbols.class, "text", code);
    }

    /** Returns an expression for a word, with 0 if the value is NULL. */
    String orZero(String word) {
        return nul == null ? word : Text.choose(nul, "0L", word);
    }

    /** Returns whether using it twice costs nothing. */
    boolean isSimple() {
        return (nul == null || isSimple(nul))
                && isSimple(code)
                && (kind != Kind.INET || isSimple(family) && isSimple(high));
    }

    static boolean isSimple(String expression) {
        return SIMPLE.matcher(expression).matches();
    }

    String javaType() {
        return switch (kind) {
            case BOOLEAN -> "boolean";
            case DOUBLE -> "double";
            case VARCHAR -> isText ? "String" : "long";
            default -> "long";
        };
    }

    /** The value's one word as a long; not for INET. */
    String word() {
        return switch (kind) {
            case BOOLEAN -> Text.choose(code, "1L", "0L");
            case DOUBLE -> "Double.doubleToLongBits(" + Text.unwrap(code) + ")";
            default -> code;
        };
    }

    /** The reverse of {@link #word}. */
    static String ofWord(Kind kind, String word) {
        return switch (kind) {
            case BOOLEAN -> "(" + word + " != 0L)";
            case DOUBLE -> "Double.longBitsToDouble(" + Text.unwrap(word) + ")";
            default -> word;
        };
    }

    /** A state word's load. */
    static String load(Kind kind, String at) {
        return kind == Kind.DOUBLE
                ? "Memory.getDouble(" + at + ")"
                : ofWord(kind, "Memory.getLong(" + at + ")");
    }

    /** A statement that stores the word. */
    static String store(Kind kind, String at, String code) {
        return kind == Kind.DOUBLE
                ? "Memory.putDouble(" + at + ", " + Text.unwrap(code) + ");"
                : "Memory.putLong(" + at + ", " + Text.unwrap(of(kind, code).word()) + ");";
    }

    /** Returns the first value where the condition holds, otherwise the second. */
    static Value choose(String condition, Value then, Value otherwise) {
        String thenNull = then.nul() == null ? "false" : then.nul();
        String elseNull = otherwise.nul() == null ? "false" : otherwise.nul();
        String nul = Text.choose(condition, thenNull, elseNull);
        boolean texts = then.isText() || otherwise.isText();
        return new Value(
                then.kind(),
                nul.equals("false") ? null : nul,
                texts
                        ? Text.choose(condition, then.string(), otherwise.string())
                        : Text.choose(condition, then.code(), otherwise.code()),
                Text.choose(condition, then.family(), otherwise.family()),
                Text.choose(condition, then.high(), otherwise.high()),
                texts);
    }
}
