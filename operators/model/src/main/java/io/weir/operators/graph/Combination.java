package io.weir.operators.graph;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The way in which a scan makes one stream of the rows of several queries. */
public sealed interface Combination {
    /** Returns the queries, in the order in which the statement names them. */
    List<String> queries();

    /** Returns the same over queries with other names; those that are no key keep theirs. */
    Combination over(Map<String, String> names);

    /**
     * All rows of all queries. The columns have equal names and kinds. It can be of one query,
     * whose totals are then read once, at the end.
     */
    record Union(List<String> queries) implements Combination {
        public Union {
            queries = List.copyOf(queries);
        }

        @Override
        public Union over(Map<String, String> names) {
            return new Union(queries.stream().map(q -> names.getOrDefault(q, q)).toList());
        }
    }

    /**
     * Pairs of rows of two queries with equal windows, or of two totals. A column of the stream is
     * the side's column with the side's prefix.
     *
     * @param equations pairs of columns whose values must be equal, and not NULL
     * @param residual a further condition over a pair, by the stream's columns
     */
    record Join(
            JoinKind kind, Side left, Side right, List<Equation> equations, Optional<Expr> residual)
            implements Combination {
        public Join {
            equations = List.copyOf(equations);
        }

        @Override
        public List<String> queries() {
            return List.of(left.query(), right.query());
        }

        /** Returns the side's own name of a column of the stream. */
        public String own(String column) {
            String prefix = isRight(column) ? right.prefix() : left.prefix();
            return column.substring(prefix.length());
        }

        /** Returns whether a column of the stream is one of the right side. */
        public boolean isRight(String column) {
            return column.startsWith(right.prefix());
        }

        @Override
        public Join over(Map<String, String> names) {
            return new Join(kind, left.over(names), right.over(names), equations, residual);
        }
    }

    /** The pairs of a join, and the rows without a partner that it keeps. */
    enum JoinKind {
        INNER(false, false),
        /** Also left rows without a partner. */
        LEFT(true, false),
        /** Also right rows without a partner. */
        RIGHT(false, true),
        /** Also all rows without a partner. */
        FULL(true, true),
        /** Left rows with a partner, once each. */
        SEMI(false, false),
        /** Left rows without a partner. */
        ANTI(true, false);

        private final boolean keepsLeft;
        private final boolean keepsRight;

        JoinKind(boolean keepsLeft, boolean keepsRight) {
            this.keepsLeft = keepsLeft;
            this.keepsRight = keepsRight;
        }

        /** Returns whether left rows without a partner are in the result. */
        public boolean keepsLeft() {
            return keepsLeft;
        }

        /** Returns whether right rows without a partner are in the result. */
        public boolean keepsRight() {
            return keepsRight;
        }

        /** Returns whether pairs are in the result. */
        public boolean hasPairs() {
            return this != SEMI && this != ANTI;
        }
    }

    /**
     * One side of a join.
     *
     * @param prefix of its columns in the stream
     * @param time its column that tells the window; empty: rows come window by window
     * @param reads how that column tells it
     * @param sizeNs the size of the windows; 0 for totals
     */
    record Side(String query, String prefix, String time, RowTime reads, long sizeNs) {
        Side over(Map<String, String> names) {
            return new Side(names.getOrDefault(query, query), prefix, time, reads, sizeNs);
        }
    }

    /** Columns of the two sides, by the sides' own names. */
    record Equation(String left, String right) {}
}
