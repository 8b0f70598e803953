package io.weir.operators.graph;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The operator graph of a query: a tree of plain records, leaves first. A tree from the planner has
 * the shape
 *
 * <pre>
 *   Sort? ( Project ( Filter? ( Aggregate ( Filter? ( Scan )))))     with aggregates
 *   Sort? ( Project ( Filter? ( Scan )))                             without
 *   Sort? ( Project ( Filter? ( Over ( … )))                         with OVER, above such a tree
 * </pre>
 *
 * and {@code kernel} compiles just these. Expressions below an Aggregate are over the columns of
 * the Scan; above it, over {@link Aggregate#columns}.
 */
public sealed interface Operator {
    /** Returns the columns of the rows that leave the operator. */
    List<Expr.Variable> columns();

    /**
     * Reads a stream.
     *
     * @param columns those of the stream that the query uses
     * @param time column of the stream's event time: {@code ts}, or {@code window_end} of a query's
     *     rows. Rows without it have the last instant of their window as their time.
     * @param reads how that column tells the time
     * @param isTable whether the stream is a keyed table, as {@link Query#isTable} has it
     * @param of the queries whose rows make the stream, if these are several
     */
    record Scan(
            StreamType type,
            List<Expr.Variable> columns,
            String time,
            RowTime reads,
            boolean isTable,
            Optional<Combination> of)
            implements Operator {
        public Scan {
            columns = List.copyOf(columns);
        }

        /** A scan of a source, or of the rows of one query. */
        public Scan(
                StreamType type,
                List<Expr.Variable> columns,
                String time,
                RowTime reads,
                boolean isTable) {
            this(type, columns, time, reads, isTable, Optional.empty());
        }

        /** A scan whose time column has the time itself. */
        public Scan(StreamType type, List<Expr.Variable> columns, String time) {
            this(type, columns, time, RowTime.ITSELF, false);
        }

        /** Returns the stream's name. */
        public String stream() {
            return type.name();
        }

        /** Returns the queries whose rows it reads, one for each input; none over packets. */
        public List<String> queries() {
            return of.map(Combination::queries)
                    .orElseGet(() -> type.isOfQuery() ? List.of(type.name()) : List.of());
        }

        /** Returns whether it combines totals, which it reads once, at the end of the input. */
        public boolean combinesTables() {
            return isTable && of.isPresent();
        }

        /** Returns its join, if it reads one. */
        public Optional<Combination.Join> join() {
            return of.filter(Combination.Join.class::isInstance).map(Combination.Join.class::cast);
        }
    }

    /** Keeps the rows for which the condition is true: WHERE below an Aggregate, HAVING above. */
    record Filter(Operator input, Expr condition) implements Operator {
        @Override
        public List<Expr.Variable> columns() {
            return input.columns();
        }
    }

    record Project(Operator input, List<Named> outputs) implements Operator {
        public Project {
            outputs = List.copyOf(outputs);
        }

        @Override
        public List<Expr.Variable> columns() {
            return outputs.stream().map(Named::column).toList();
        }
    }

    /**
     * Groups and folds. No keys and no window is one group, which exists even when nothing came.
     * Without a window, the totals run from the start to the end of the input.
     *
     * @param wholeBy keys by which packets can be spread with no group in two parts
     */
    record Aggregate(
            Operator input,
            Optional<Window> window,
            List<Named> keys,
            List<FoldCall> folds,
            Set<PartitionKey> wholeBy)
            implements Operator {
        /** Columns of every windowed aggregate, after keys and folds. */
        public static final String WINDOW_START = "window_start";

        public static final String WINDOW_END = "window_end";

        public Aggregate {
            keys = List.copyOf(keys);
            folds = List.copyOf(folds);
            wholeBy = Set.copyOf(wholeBy);
        }

        /**
         * Keys, folds, then window_start and window_end if there is a window, then {@link Row}'s.
         */
        @Override
        public List<Expr.Variable> columns() {
            List<Expr.Variable> columns = new ArrayList<>();
            keys.forEach(key -> columns.add(key.column()));
            folds.forEach(fold -> columns.add(fold.column()));
            if (window.isPresent()) {
                columns.add(Expr.Variable.column(WINDOW_START, Type.TIMESTAMP));
                columns.add(Expr.Variable.column(WINDOW_END, Type.TIMESTAMP));
            }
            columns.addAll(Row.COLUMNS);
            return columns;
        }
    }

    /**
     * The facts that every emitted row can show about its window. They are constant over a window.
     */
    final class Row {
        /** Packets that are known to be lost, each reported by one window. */
        public static final Expr.Variable PACKETS_LOST =
                Expr.Variable.column("packets_lost", Type.BIGINT);

        /** An estimate of the packets of workers whose part of the window has not come. */
        public static final Expr.Variable PACKETS_MISSING =
                Expr.Variable.column("packets_missing", Type.BIGINT);

        /** Packets that LATENESS left out, each reported by one window; in no sum of packets. */
        public static final Expr.Variable PACKETS_LATE =
                Expr.Variable.column("packets_late", Type.BIGINT);

        /**
         * The value of processed / (processed + lost + missing + late); 1 when nothing was offered.
         * Lost packets that were reported as missing before do not count.
         */
        public static final Expr.Variable COMPLETENESS =
                Expr.Variable.column("completeness", Type.DOUBLE);

        /** The time from which the query counted; NULL for a query without WHEN. */
        public static final Expr.Variable ACTIVE_FROM =
                Expr.Variable.column("active_from", Type.TIMESTAMP.orNull());

        /**
         * True if the window was seen only in part: the query or its source began or ended in it.
         */
        public static final Expr.Variable IS_PARTIAL =
                Expr.Variable.column("is_partial", Type.BOOLEAN);

        public static final List<Expr.Variable> COLUMNS =
                List.of(
                        PACKETS_LOST,
                        PACKETS_MISSING,
                        COMPLETENESS,
                        ACTIVE_FROM,
                        IS_PARTIAL,
                        PACKETS_LATE);

        /**
         * The most that any group may lack, shown or not, because groups found no room. It counts
         * packets, or with on_overflow = 'topk' the figure that ranks groups. NULL when it is not
         * known.
         */
        public static final Expr.Variable LEFT_OUT_MOST =
                Expr.Variable.column("left_out_most", Type.BIGINT.orNull());

        /** The most that the row's own group may lack: 0 when its figures count all its packets. */
        public static final Expr.Variable UNDERCOUNT =
                Expr.Variable.column("undercount", Type.BIGINT.orNull());

        /** The columns of queries with groups of packets, except for on_overflow = 'fail'. */
        public static final List<Expr.Variable> OF_OVERFLOW = List.of(LEFT_OUT_MOST, UNDERCOUNT);

        private Row() {}
    }

    /**
     * Orders the rows of one window and keeps the first.
     *
     * @param limit how many rows to keep after {@code offset}; empty keeps all
     */
    record Sort(Operator input, List<Order> orders, Optional<Long> limit, long offset)
            implements Operator {
        public Sort {
            orders = List.copyOf(orders);
        }

        @Override
        public List<Expr.Variable> columns() {
            return input.columns();
        }
    }

    /**
     * Adds columns that are computed from several rows of a window, or of earlier windows. The
     * input is a Project. It has the columns of the Aggregate, or of the Scan, under their names.
     *
     * @param time the input's column that tells the window of a row; empty if all rows that come
     *     together are of one window
     */
    record Over(Operator input, String time, List<OverCall> calls) implements Operator {
        public Over {
            calls = List.copyOf(calls);
        }

        @Override
        public List<Expr.Variable> columns() {
            List<Expr.Variable> columns = new ArrayList<>(input.columns());
            calls.forEach(call -> columns.add(call.column()));
            return columns;
        }

        /** Returns whether it needs rows of earlier windows. */
        public boolean hasHistory() {
            return calls.stream().anyMatch(OverCall::history);
        }
    }

    /** Orders by a column of the input. */
    record Order(String column, boolean descending, boolean nullsFirst) {}

    /** An expression with the name of its column. */
    record Named(String name, Expr expr) {
        public Expr.Variable column() {
            return Expr.Variable.column(name, expr.type());
        }
    }

    /**
     * A fold over the input's rows.
     *
     * @param distinct count distinct tuples of the arguments; the fold is then COUNT
     * @param filter only rows for which it is true (FILTER (WHERE …))
     */
    record FoldCall(
            String name, Fold fold, List<Expr> arguments, boolean distinct, Optional<Expr> filter) {
        public FoldCall {
            arguments = List.copyOf(arguments);
        }

        public Expr.Variable column() {
            return Expr.Variable.column(name, fold.result().type());
        }
    }

    /**
     * A column of {@link Over}: a function of several rows.
     *
     * @param arguments columns of the input, or constants
     * @param partition columns of the input; rows that are equal in all of them belong together
     * @param orders of the rows of a partition; rows that they leave equal keep their order
     * @param history whether a partition has the rows of earlier windows too, in order of time.
     *     Otherwise it has rows of one window only
     */
    record OverCall(
            String name,
            OverFunction function,
            List<Expr> arguments,
            List<String> partition,
            List<Order> orders,
            OverFrame frame,
            boolean history,
            Type type) {
        public OverCall {
            arguments = List.copyOf(arguments);
            partition = List.copyOf(partition);
            orders = List.copyOf(orders);
        }

        public Expr.Variable column() {
            return Expr.Variable.column(name, type);
        }

        /** Returns how many rows before the current one it reads; only for one with history. */
        public int rowsBefore() {
            if (function == OverFunction.LAG) {
                return Math.toIntExact(offset());
            }
            return Math.toIntExact(-frame.fromRows());
        }

        /** Returns the distance of LAG and LEAD in rows. */
        public long offset() {
            return (Long) ((Expr.Literal) arguments.get(1)).value();
        }
    }
}
