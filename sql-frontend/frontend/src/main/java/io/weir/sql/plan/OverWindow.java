package io.weir.sql.plan;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.function.OverLibrary;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Expr.Literal;
import io.weir.operators.graph.Expr.Variable;
import io.weir.operators.graph.Operator.Order;
import io.weir.operators.graph.Operator.OverCall;
import io.weir.operators.graph.OverFrame;
import io.weir.operators.graph.OverFunction;
import io.weir.sql.validate.Binding;
import io.weir.sql.validate.ExpressionBinder;
import io.weir.sql.validate.OverFunctions;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlWindow;

/**
 * Reads what stands in the parentheses after OVER. Rows of one window belong together, whether or
 * not PARTITION BY names the window. The order by the end of windows is the exception: then the
 * rows of earlier windows belong to the partition too.
 */
final class OverWindow {
    private static final String BOUNDED = "ROWS BETWEEN 11 PRECEDING AND CURRENT ROW";

    private final Binding binding;
    private final OverInput input;
    private final SqlWindow window;
    private final BiFunction<Expr, SqlNode, Variable> values;
    private final ExpressionBinder binder;
    private final List<String> partition = new ArrayList<>();
    private final List<Order> orders = new ArrayList<>();
    private final OverFrame frame;
    private boolean history;

    /**
     * @param call with OVER
     * @param function that stands before it
     * @param binder of names in the parentheses
     * @param values gives the column of single rows that has an expression's value
     */
    OverWindow(
            Binding binding,
            OverInput input,
            SqlCall call,
            OverFunctions.Bound function,
            ExpressionBinder binder,
            BiFunction<Expr, SqlNode, Variable> values) {
        this.binding = binding;
        this.input = input;
        this.values = values;
        if (!(call.operand(1) instanceof SqlWindow given) || given.getRefName() != null) {
            throw binding.notSupported(
                    call.operand(1), "a named window", "write the window in parentheses");
        }
        window = given;
        this.binder = binder;
        boolean ofOneWindow = readPartition();
        readOrders(ofOneWindow);
        frame = history ? framePast(call, function.function()) : frameWithin(call, function);
    }

    /** Returns the call, without a name for its column. */
    OverCall call(OverFunctions.Bound function, List<Expr> arguments) {
        return new OverCall(
                "",
                function.function(),
                arguments,
                partition,
                orders,
                frame,
                history,
                function.type());
    }

    /** Returns whether PARTITION BY names the window. */
    private boolean readPartition() {
        boolean ofOneWindow = false;
        for (SqlNode node : window.getPartitionList()) {
            Expr expr = binder.bind(node);
            if (isTime(expr, node)) {
                ofOneWindow = true;
            } else {
                partition.add(values.apply(expr, node).name());
            }
        }
        return ofOneWindow;
    }

    private boolean isTime(Expr bound, SqlNode at) {
        return input.isTime(input.lowered(bound, at));
    }

    private void readOrders(boolean ofOneWindow) {
        for (SqlNode node : window.getOrderList()) {
            SortKey key = SortKey.of(node);
            Expr expr = binder.bind(key.node());
            if (isTime(expr, key.node())) {
                checkTime(key, ofOneWindow);
                history = true;
            } else {
                String column = values.apply(expr, key.node()).name();
                orders.add(new Order(column, key.descending(), key.nullsFirst()));
            }
        }
    }

    private void checkTime(SortKey key, boolean ofOneWindow) {
        if (ofOneWindow) {
            throw invalid(
                    key.node(),
                    "PARTITION BY leaves rows of one window, so their window is no order",
                    "leave the window out of PARTITION BY, or order by another column");
        } else if (window.getOrderList().size() > 1) {
            throw notSupported(
                    key.node(),
                    "an order by windows and other columns",
                    "order by " + binding.quote(key.node()) + " alone");
        } else if (key.descending()) {
            throw invalid(
                    key.node(),
                    "windows come from the oldest on, so OVER orders them like that",
                    "leave DESC out: LAG is the row before");
        }
        input.checkHistory(key.node());
    }

    private OverFrame framePast(SqlCall call, OverFunction function) {
        if (function.isRank()) {
            throw notSupported(
                    call,
                    function + " over all windows so far",
                    "order by another column to rank the rows of each window");
        } else if (function == OverFunction.LEAD) {
            throw invalid(
                    call,
                    "LEAD reads a later window, which is not there yet",
                    "LAG reads an earlier one");
        } else if (function == OverFunction.LAG) {
            checkNoFrame(function);
            return OverFrame.WHOLE;
        }
        boolean endless =
                window.getLowerBound() == null
                        || SqlWindow.isUnboundedPreceding(window.getLowerBound());
        if (endless) {
            throw invalid(
                    window.getLowerBound() == null ? call : window.getLowerBound(),
                    "a stream has no end, so a frame needs a bound: all rows so far are too many",
                    "write " + BOUNDED);
        }
        OverFrame read = frame();
        if (read.toRows() > 0) {
            throw invalid(
                    window.getUpperBound(),
                    "rows that follow are of later windows, which are not there yet",
                    "write " + BOUNDED);
        }
        return read;
    }

    private OverFrame frameWithin(SqlCall call, OverFunctions.Bound bound) {
        OverFunction function = bound.function();
        boolean ordered = !orders.isEmpty();
        if (function.isRank() || function.isShift()) {
            checkNoFrame(function);
            if (!ordered && function != OverFunction.ROW_NUMBER) {
                throw invalid(
                        call,
                        function + " needs ORDER BY",
                        "ORDER BY window_end reads earlier windows, other columns order the rows"
                                + " of one");
            }
            return OverFrame.WHOLE;
        } else if (window.getLowerBound() == null) {
            return ordered ? OverFrame.UP_TO_PEERS : OverFrame.WHOLE;
        }
        return frame();
    }

    private void checkNoFrame(OverFunction function) {
        if (window.getLowerBound() != null) {
            throw invalid(
                    window.getLowerBound(), function + " takes no frame", "leave the frame out");
        }
    }

    private OverFrame frame() {
        SqlNode lower = window.getLowerBound();
        if (!window.isRows()) {
            throw notSupported(lower, "a RANGE frame", "ROWS counts rows: " + BOUNDED);
        }
        SqlNode upper = window.getUpperBound();
        long from = rows(lower);
        long to = upper == null ? 0 : rows(upper);
        if (from > to || from == OverFrame.LAST || to == OverFrame.FIRST) {
            throw invalid(lower, "the frame ends before it begins", "write " + BOUNDED);
        }
        return new OverFrame(from, to, false);
    }

    /** Returns a bound in rows from the current one. */
    private long rows(SqlNode bound) {
        if (SqlWindow.isCurrentRow(bound)) {
            return 0;
        } else if (SqlWindow.isUnboundedPreceding(bound)) {
            return OverFrame.FIRST;
        } else if (SqlWindow.isUnboundedFollowing(bound)) {
            return OverFrame.LAST;
        }
        SqlNode number = ((SqlCall) bound).operand(0);
        ConstantScope constants = new ConstantScope(binding, "a bound of a frame");
        Expr expr = new ExpressionBinder(binding, constants).bind(number);
        Expr known = binding.constant(number, expr, Literal.of(1L));
        boolean fits =
                known instanceof Literal literal
                        && literal.value() instanceof Long rows
                        && rows >= 0
                        && rows <= OverLibrary.MOST_ROWS;
        if (!fits) {
            throw invalid(
                    number,
                    "a bound of a frame is from 0 to " + OverLibrary.MOST_ROWS + " rows",
                    "write " + BOUNDED);
        }
        long rows = (Long) ((Literal) known).value();
        return bound.getKind() == SqlKind.PRECEDING ? -rows : rows;
    }

    private WeirException invalid(SqlNode at, String message, String hint) {
        return binding.error(ErrorCode.INVALID_QUERY, at, message, hint);
    }

    private WeirException notSupported(SqlNode at, String what, String hint) {
        return binding.notSupported(at, what, hint);
    }
}
