package io.weir.operators.function;

/**
 * An expression and its value over {@link SamplePackets}. A test runs each.
 *
 * @param sql an item of SELECT
 * @param rest of the statement, after {@code FROM packets}; empty where there is none
 * @param value as the first row of the result has it
 */
public record Example(String sql, String rest, String value) {
    /** The whole statement. */
    public String statement() {
        return "SELECT " + sql + " FROM packets" + (rest.isEmpty() ? "" : " " + rest);
    }
}
