package io.weir.sql.validate;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.graph.Expr.Literal;
import io.weir.operators.graph.Kind;
import java.math.BigDecimal;
import java.util.Locale;
import org.apache.calcite.sql.SqlIntervalLiteral;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNumericLiteral;
import org.apache.calcite.sql.SqlUnknownLiteral;
import org.apache.calcite.sql.type.SqlTypeName;

/** Turns literals of the grammar into literals of the graph. */
final class Literals {
    private final Binding binding;
    private final Conversions conversions;
    private final Intervals intervals;

    Literals(Binding binding, Conversions conversions) {
        this.binding = binding;
        this.conversions = conversions;
        intervals = new Intervals(binding);
    }

    Intervals intervals() {
        return intervals;
    }

    Literal literal(SqlLiteral literal) {
        if (literal instanceof SqlIntervalLiteral interval) {
            return intervals.literal(interval);
        } else if (literal instanceof SqlUnknownLiteral tagged) {
            return tagged(tagged);
        }
        SqlTypeName type = literal.getTypeName();
        return switch (type) {
            case BOOLEAN -> truth(literal);
            case NULL -> Literal.nullOf(Kind.BIGINT);
            case DECIMAL, DOUBLE -> number(literal, literal.bigDecimalValue());
            case CHAR -> Parameters.string(literal.getValueAs(String.class));
            case BINARY ->
                    throw binding.notSupported(
                            literal, "a literal of type BINARY", "write the number as 0x1f");
            case DATE, TIME, TIMESTAMP ->
                    throw binding.notSupported(
                            literal, "an escape of JDBC, {ts '…'},", "use TIMESTAMP '…'");
            default ->
                    throw binding.notSupported(
                            literal,
                            "a literal of type " + type.getName().toUpperCase(Locale.ROOT),
                            null);
        };
    }

    private static Literal truth(SqlLiteral literal) {
        boolean unknown = literal.getValue() == null;
        return unknown ? Literal.nullOf(Kind.BOOLEAN) : Literal.of(literal.booleanValue());
    }

    /** Returns the number with a minus before it. */
    Literal negative(SqlNumericLiteral literal) {
        return number(literal, literal.bigDecimalValue().negate());
    }

    /** A number with a point or an exponent is a DOUBLE. */
    private Literal number(SqlLiteral literal, BigDecimal value) {
        boolean whole = literal.getTypeName() == SqlTypeName.DECIMAL && value.scale() == 0;
        if (!whole || binding.quote(literal).endsWith(".")) {
            return real(literal, value.doubleValue());
        }
        try {
            return Literal.of(value.longValueExact());
        } catch (ArithmeticException e) {
            throw binding.error(
                    ErrorCode.TYPE_MISMATCH,
                    literal,
                    "this integer does not fit into 64 bits",
                    "write it with a decimal point to make it a DOUBLE");
        }
    }

    private Literal real(SqlLiteral literal, double value) {
        if (Double.isInfinite(value)) {
            throw binding.error(
                    ErrorCode.TYPE_MISMATCH, literal, "this number is too large for a DOUBLE");
        }
        return Literal.of(value);
    }

    /** Reads INET '…', MACADDR '…', TIMESTAMP '…'. */
    private Literal tagged(SqlUnknownLiteral literal) {
        return switch (literal.tag) {
            case "INET" -> conversions.literal(literal, Kind.INET, literal.getValue());
            case "MACADDR" -> conversions.literal(literal, Kind.MACADDR, literal.getValue());
            case "TIMESTAMP" -> conversions.literal(literal, Kind.TIMESTAMP, literal.getValue());
            default ->
                    throw binding.notSupported(
                            literal, "a literal of type " + literal.tag, "use TIMESTAMP '…'");
        };
    }
}
