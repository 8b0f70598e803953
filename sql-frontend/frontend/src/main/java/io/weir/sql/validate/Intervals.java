package io.weir.sql.validate;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Expr.Literal;
import io.weir.operators.graph.Type;
import io.weir.sql.parse.IntervalUnit;
import java.math.BigDecimal;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlIntervalLiteral;
import org.apache.calcite.sql.SqlIntervalQualifier;
import org.apache.calcite.sql.SqlNode;

/** Reads intervals, to the nanosecond. */
public final class Intervals {
    private static final BigDecimal MAX_NS = BigDecimal.valueOf(Long.MAX_VALUE / 2);
    private static final int LONGEST = 40;

    private final Binding binding;

    Intervals(Binding binding) {
        this.binding = binding;
    }

    /** Reads INTERVAL '1.5' SECOND. */
    Literal literal(SqlIntervalLiteral literal) {
        SqlIntervalLiteral.IntervalValue value =
                literal.getValueAs(SqlIntervalLiteral.IntervalValue.class);
        long unitNs = unitNs(value.getIntervalQualifier());
        BigDecimal number = number(literal, value.getIntervalLiteral());
        return of(literal, number.multiply(BigDecimal.valueOf(value.getSign())), unitNs);
    }

    /** Reads INTERVAL 5 SECOND, where the number is a literal or a parameter. */
    Literal of(SqlNode at, Object number, SqlIntervalQualifier qualifier) {
        return of(at, number(at, String.valueOf(number)), unitNs(qualifier));
    }

    private static Literal nanoseconds(long ns) {
        return new Literal(ns, Type.INTERVAL);
    }

    private Literal of(SqlNode at, BigDecimal number, long unitNs) {
        BigDecimal ns = number.multiply(BigDecimal.valueOf(unitNs));
        if (ns.abs().compareTo(MAX_NS) > 0) {
            throw invalid(at, "this interval is too long", null);
        }
        try {
            return nanoseconds(ns.longValueExact());
        } catch (ArithmeticException e) {
            throw invalid(at, "this interval is finer than a nanosecond", null);
        }
    }

    private BigDecimal number(SqlNode at, String text) {
        try {
            if (text.length() <= LONGEST) {
                BigDecimal number = new BigDecimal(text.trim());
                if (Math.abs((long) number.scale()) <= LONGEST) {
                    return number;
                }
            }
        } catch (NumberFormatException e) {
            throw invalid(
                    at,
                    "this interval has no number in its quotes",
                    "write it as INTERVAL '1' SECOND");
        }
        throw invalid(at, "the number of this interval is too long", null);
    }

    private long unitNs(SqlIntervalQualifier qualifier) {
        boolean precise =
                qualifier.getStartPrecisionPreservingDefault()
                                != RelDataType.PRECISION_NOT_SPECIFIED
                        || qualifier.getFractionalSecondPrecisionPreservingDefault()
                                != RelDataType.PRECISION_NOT_SPECIFIED;
        if (precise) {
            throw binding.notSupported(
                    qualifier, "a precision of an interval", "leave it out: nanoseconds are kept");
        }
        return switch (qualifier.timeUnitRange) {
            case SECOND -> secondNs(qualifier);
            case MINUTE, HOUR, DAY, WEEK ->
                    IntervalUnit.valueOf(qualifier.timeUnitRange.name()).ns();
            case YEAR, QUARTER, MONTH ->
                    throw invalid(
                            qualifier,
                            "a " + qualifier.timeUnitRange + " has no fixed length",
                            "count in days");
            default ->
                    throw binding.notSupported(
                            qualifier,
                            "an interval of several units",
                            "write it in one, as INTERVAL '90' SECOND");
        };
    }

    private long secondNs(SqlIntervalQualifier qualifier) {
        return binding.parameters()
                .secondNs(
                        qualifier.getParserPosition().getLineNum(),
                        qualifier.getParserPosition().getColumnNum());
    }

    private WeirException invalid(SqlNode at, String message, String hint) {
        return binding.error(ErrorCode.INVALID_QUERY, at, message, hint);
    }
}
