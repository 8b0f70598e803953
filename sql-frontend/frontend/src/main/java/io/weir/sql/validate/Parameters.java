package io.weir.sql.validate;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Expr.Literal;
import io.weir.operators.graph.Type;
import io.weir.sql.error.SqlSource;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlNode;

/**
 * Values of {@code :name}. They are given as text. They become a number or a truth value if they
 * look like one. Otherwise they become a string, which can still become an address. Values of
 * {@code ?} have types of their own.
 *
 * @param names of the statement's parameters, in order of appearance
 * @param values by name
 * @param placeholders the values of those that are called {@code ?}
 * @param units the unit that a SECOND at a place of the text means
 */
public record Parameters(
        List<String> names, Map<String, String> values, Placeholders placeholders, Units units) {
    private static final int LONGEST_NUMBER = 40;

    /** Nanoseconds of the unit that reads SECOND at a line and column. */
    public interface Units {
        Units SECONDS = (line, column) -> 1_000_000_000L;

        long secondNs(int line, int column);
    }

    long secondNs(int line, int column) {
        return units.secondNs(line, column);
    }

    String text(SqlSource source, SqlDynamicParam parameter) {
        String name = names.get(parameter.getIndex());
        String value = values.get(name);
        if (value == null) {
            throw missing(source, parameter, name);
        }
        return value;
    }

    /** Returns whether it is a {@code ?}. */
    boolean isPlaceholder(SqlNode node) {
        return node instanceof SqlDynamicParam parameter
                && names.get(parameter.getIndex()).equals(Placeholders.NAME);
    }

    Literal literal(SqlSource source, SqlDynamicParam parameter) {
        if (isPlaceholder(parameter)) {
            return placeholders
                    .value(parameter.getIndex())
                    .orElseThrow(() -> unset(source, parameter));
        }
        String text = text(source, parameter);
        if (text.equalsIgnoreCase("true") || text.equalsIgnoreCase("false")) {
            return Literal.of(Boolean.parseBoolean(text));
        }
        try {
            return Literal.of(Long.parseLong(text));
        } catch (NumberFormatException notAnInteger) {
            return looksReal(text) ? Literal.of(Double.parseDouble(text)) : string(text);
        }
    }

    static Literal string(String text) {
        return new Literal(text, Type.VARCHAR);
    }

    private static boolean looksReal(String text) {
        if (text.length() > LONGEST_NUMBER) {
            return false;
        }
        try {
            return Double.isFinite(new BigDecimal(text).doubleValue());
        } catch (NumberFormatException e) {
            return false;
        }
    }

    private static WeirException unset(SqlSource source, SqlDynamicParam at) {
        return source.error(
                ErrorCode.MISSING_PARAMETER,
                at,
                "the parameter " + (at.getIndex() + 1) + " (?) has no value",
                "NULL is set by setNull");
    }

    private static WeirException missing(SqlSource source, SqlDynamicParam at, String name) {
        return source.error(
                ErrorCode.MISSING_PARAMETER,
                at,
                "the parameter " + name + " has no value",
                "weir run takes --set " + name + "=value; elsewhere write the value itself");
    }
}
