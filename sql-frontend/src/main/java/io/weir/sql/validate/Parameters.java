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

/**
 * Values of {@code :name}: given as text, they become a number or a truth value where they look
 * like one, else a string, which can still become an address.
 *
 * @param names of the statement's parameters, in order of appearance
 * @param values by name
 * @param units what a SECOND at a place of the text stands for
 */
public record Parameters(List<String> names, Map<String, String> values, Units units) {
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

    Literal literal(SqlSource source, SqlDynamicParam parameter) {
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

    private static WeirException missing(SqlSource source, SqlDynamicParam at, String name) {
        return source.error(
                ErrorCode.MISSING_PARAMETER,
                at,
                "the parameter " + name + " has no value",
                "give it with --set " + name + "=value");
    }
}
