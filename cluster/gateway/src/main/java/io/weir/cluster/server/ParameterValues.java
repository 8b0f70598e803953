package io.weir.cluster.server;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Expr.Literal;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.Type;
import io.weir.sql.parse.Lexer;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.avatica.ColumnMetaData.Rep;
import org.apache.calcite.avatica.remote.TypedValue;

/**
 * Turns a client's values for a statement's {@code ?}s into literals. A value that would lose
 * something on its way is an error: Avatica cuts times at milliseconds, and moves them by the
 * client's time zone.
 */
final class ParameterValues {
    private ParameterValues() {}

    /**
     * @param values null for none, and for one that is not set
     */
    static List<Literal> of(List<TypedValue> values) {
        List<Literal> literals = new ArrayList<>();
        long characters = 0;
        for (TypedValue value : values == null ? List.<TypedValue>of() : values) {
            Literal literal = value == null ? null : literal(literals.size() + 1, value);
            literals.add(literal);
            if (literal != null && literal.value() instanceof String text) {
                characters += text.length();
            }
        }
        if (characters > Lexer.MAX_CHARACTERS) {
            throw new WeirException(
                    ErrorCode.INVALID_OPTION,
                    "the parameters have over " + Lexer.MAX_CHARACTERS + " characters");
        }
        return literals;
    }

    private static Literal literal(int number, TypedValue value) {
        if (value.value == null) {
            return Literal.nullOf(Kind.BIGINT);
        }
        return switch (value.type) {
            case STRING, PRIMITIVE_CHAR, CHARACTER ->
                    new Literal(String.valueOf(value.toLocal()), Type.VARCHAR);
            case BOOLEAN, PRIMITIVE_BOOLEAN -> Literal.of((Boolean) value.toLocal());
            case BYTE,
                    SHORT,
                    INTEGER,
                    LONG,
                    PRIMITIVE_BYTE,
                    PRIMITIVE_SHORT,
                    PRIMITIVE_INT,
                    PRIMITIVE_LONG ->
                    Literal.of(((Number) value.toLocal()).longValue());
            case FLOAT, DOUBLE, PRIMITIVE_FLOAT, PRIMITIVE_DOUBLE ->
                    real(number, ((Number) value.toLocal()).doubleValue());
            case NUMBER -> decimal(number, value);
            default -> throw refused(number, value.type);
        };
    }

    private static WeirException refused(int number, Rep type) {
        boolean time =
                type == Rep.JAVA_SQL_TIMESTAMP
                        || type == Rep.JAVA_SQL_DATE
                        || type == Rep.JAVA_SQL_TIME
                        || type == Rep.JAVA_UTIL_DATE;
        return time
                ? wrong(
                        number,
                        "would be cut to milliseconds on its way",
                        "give times by setString, as '2026-11-20 13:45:00.000000001' (UTC)")
                : wrong(
                        number,
                        "is of a type that is not supported: " + type,
                        "addresses and times are given by setString");
    }

    /** The rule is that of SQL text: with a decimal point it is a DOUBLE. */
    private static Literal decimal(int number, TypedValue value) {
        BigDecimal decimal = new BigDecimal(String.valueOf(value.toLocal()));
        if (decimal.scale() > 0) {
            return real(number, decimal.doubleValue());
        }
        try {
            return Literal.of(decimal.longValueExact());
        } catch (ArithmeticException e) {
            throw wrong(number, "does not fit into 64 bits", "setDouble gives it as a DOUBLE");
        }
    }

    private static Literal real(int number, double value) {
        if (!Double.isFinite(value)) {
            throw wrong(number, "is no finite number", null);
        }
        return Literal.of(value);
    }

    private static WeirException wrong(int number, String what, String hint) {
        return new WeirException(
                ErrorCode.TYPE_MISMATCH, "the parameter " + number + " (?) " + what, hint);
    }
}
