package io.weir.operators.function;

/**
 * An expression and its value over {@link SamplePackets}. A test runs each.
 *
 * @param sql an item of SELECT
 * @param rest of the statement, after {@code FROM packets}; empty if there is none
 * @param value in the first row of the result
 */
public record Example(String sql, String rest, String value) {
    /** Returns the whole statement. */
    public String statement() {
        return "SELECT " + sql + " FROM packets" + (rest.isEmpty() ? "" : " " + rest);
    }
}
