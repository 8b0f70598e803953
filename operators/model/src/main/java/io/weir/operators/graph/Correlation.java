package io.weir.operators.graph;

import java.util.List;

/**
 * The values that a query with WHEN takes from its upstream. Each tuple of key values that wakes it
 * is a binding, with an activation of its own.
 *
 * @param equations the key: WHERE equates each with a value of the stream
 * @param values other columns of the upstream that the query shows, from the row that woke it
 * @param most bindings at one time; further ones are refused, and counted
 * @param idleNs the event time without a row of its key after which a binding ends; 0: it stays
 */
public record Correlation(
        List<Equation> equations, List<Expr.Variable> values, int most, long idleNs) {
    /** The bound without WITH (bindings = …). */
    public static final int MOST = 10_000;

    /** The largest bound. */
    public static final int LIMIT = 1_000_000;

    /**
     * A column of the key.
     *
     * @param column of the upstream
     * @param value of the stream, equal to it in all packets of the binding
     * @param others columns of further upstreams that WHERE equates with the same value
     */
    public record Equation(Expr.Variable column, Expr value, List<Expr.Variable> others) {
        public Equation {
            others = List.copyOf(others);
        }

        /** The equation of one upstream. */
        public Equation(Expr.Variable column, Expr value) {
            this(column, value, List.of());
        }

        /** Returns whether it is about a column. */
        public boolean has(Expr.Variable wanted) {
            return column.equals(wanted) || others.contains(wanted);
        }
    }

    public Correlation {
        equations = List.copyOf(equations);
        values = List.copyOf(values);
        if (equations.isEmpty() || most < 1 || most > LIMIT || idleNs < 0) {
            throw new IllegalArgumentException(
                    equations.size() + " equations, " + most + " bindings, idle " + idleNs);
        }
    }
}
