package io.weir.operators.graph;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * A named query, planned.
 *
 * @param sql the statement as the user wrote it, for people
 * @param budget of its memory; empty: the engine's bound for all queries
 * @param parts the sub-queries of the same statement, each after those that it reads. They run
 *     beside the query, and only it reads their rows
 */
public record Query(
        String name,
        Operator root,
        Optional<When> when,
        String sql,
        Optional<Budget> budget,
        List<Query> parts) {
    /** The most columns, constants and calls in all expressions of a query. */
    public static final int MOST_PARTS = 5_000;

    /** The most different strings among the constants of a query. */
    public static final int MOST_STRINGS = 1_000;

    public Query {
        parts = List.copyOf(parts);
    }

    /** A query without sub-queries. */
    public Query(
            String name, Operator root, Optional<When> when, String sql, Optional<Budget> budget) {
        this(name, root, when, sql, budget, List.of());
    }

    /** A query without a budget of its own. */
    public Query(String name, Operator root, Optional<When> when, String sql) {
        this(name, root, when, sql, Optional.empty());
    }

    /** Returns the query with other operators and another budget. */
    public Query with(Operator other, Optional<Budget> otherBudget) {
        return new Query(name, other, when, sql, otherBudget, parts);
    }

    /** Returns its sub-queries, and then the query itself. */
    public List<Query> all() {
        List<Query> all = new ArrayList<>(parts);
        all.add(this);
        return all;
    }

    /** Returns its sub-query of this name. */
    public Optional<Query> part(String part) {
        return parts.stream().filter(query -> query.name().equals(part)).findFirst();
    }

    /** Columns of the rows that the query emits. */
    public List<Expr.Variable> columns() {
        return root.columns();
    }

    /**
     * Returns the projection that makes its rows: from groups, from the rows that it reads, or from
     * those with the columns of OVER.
     */
    public Operator.Project projection() {
        return (Operator.Project) (root instanceof Operator.Sort sort ? sort.input() : root);
    }

    /** The stream at the bottom. */
    public Operator.Scan scan() {
        Operator operator = root;
        while (!(operator instanceof Operator.Scan)) {
            operator = inputOf(operator);
        }
        return (Operator.Scan) operator;
    }

    /**
     * Returns whether two parts of the packets, spread by the key, can hold some of one group. They
     * cannot if the planner says that groups are whole, if there are no groups, or if rows come in
     * one piece.
     */
    public boolean isSplitBy(PartitionKey key) {
        return reads().isSpread()
                && aggregate().filter(aggregate -> !aggregate.wholeBy().contains(key)).isPresent();
    }

    /** Returns the type of the stream that it reads. */
    public StreamType reads() {
        return scan().type();
    }

    /**
     * Returns whether its rows are a keyed table: one row for each group, which a newer one
     * replaces. Totals without a window are a table, and so is a projection of a table. An
     * aggregate over a table reads the newest row of each key.
     */
    public boolean isTable() {
        return aggregate().map(a -> a.window().isEmpty()).orElse(scan().isTable());
    }

    /** Returns the aggregate; empty for a query of single rows. */
    public Optional<Operator.Aggregate> aggregate() {
        Operator operator = root;
        while (!(operator instanceof Operator.Scan)) {
            if (operator instanceof Operator.Aggregate aggregate) {
                return Optional.of(aggregate);
            }
            operator = inputOf(operator);
        }
        return Optional.empty();
    }

    /** Returns the columns that are computed from several rows; empty if there are none. */
    public Optional<Operator.Over> over() {
        Operator operator = projection().input();
        if (operator instanceof Operator.Filter filter) {
            operator = filter.input();
        }
        return operator instanceof Operator.Over over ? Optional.of(over) : Optional.empty();
    }

    /**
     * Returns the root with all operators replaced that make single rows. The columns of OVER, and
     * all above them, stay.
     *
     * @param singles replaces the operators below OVER; without OVER, all operators
     */
    public Operator rebuilt(UnaryOperator<Operator> singles) {
        return over().isPresent() ? rebuilt(root, singles) : singles.apply(root);
    }

    private static Operator rebuilt(Operator operator, UnaryOperator<Operator> singles) {
        if (operator instanceof Operator.Over over) {
            return new Operator.Over(singles.apply(over.input()), over.time(), over.calls());
        } else if (operator instanceof Operator.Sort sort) {
            Operator input = rebuilt(sort.input(), singles);
            return new Operator.Sort(input, sort.orders(), sort.limit(), sort.offset());
        } else if (operator instanceof Operator.Project project) {
            return new Operator.Project(rebuilt(project.input(), singles), project.outputs());
        }
        Operator.Filter filter = (Operator.Filter) operator;
        return new Operator.Filter(rebuilt(filter.input(), singles), filter.condition());
    }

    /** Returns the condition on the scan's packets, or rows; empty if all are taken. */
    public Optional<Expr> scanFilter() {
        Operator operator = root;
        while (!(operator instanceof Operator.Scan)) {
            if (operator instanceof Operator.Filter filter
                    && filter.input() instanceof Operator.Scan) {
                return Optional.of(filter.condition());
            }
            operator = inputOf(operator);
        }
        return Optional.empty();
    }

    private static Operator inputOf(Operator operator) {
        if (operator instanceof Operator.Filter filter) {
            return filter.input();
        } else if (operator instanceof Operator.Project project) {
            return project.input();
        } else if (operator instanceof Operator.Aggregate aggregate) {
            return aggregate.input();
        } else if (operator instanceof Operator.Sort sort) {
            return sort.input();
        } else if (operator instanceof Operator.Over over) {
            return over.input();
        }
        throw new IllegalArgumentException("a scan has no input");
    }
}
