package io.weir.sql.plan;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Budget;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Operator.FoldCall;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.Window;
import io.weir.operators.graph.WindowRows;
import io.weir.operators.kernel.Undercount;
import io.weir.sql.grammar.ParsedStatement;
import io.weir.sql.grammar.ParsedStatement.Emitted;
import io.weir.sql.validate.Binding;
import io.weir.sql.validate.ExpressionBinder;
import java.util.Optional;
import org.apache.calcite.sql.SqlNode;

/** Plans EMIT, which tells which windows have rows, and when. */
final class EmitClause {
    private static final String EMPTY = "EMIT EMPTY";
    private static final String WINDOW = "group by TUMBLE(ts, INTERVAL '1' SECOND)";

    private final Binding binding;

    EmitClause(Binding binding) {
        this.binding = binding;
    }

    /** Returns the windows of a query, with the rows that EMIT gives them. */
    Optional<Window> window(ParsedStatement.Emit emit, Grouping grouping) {
        if (emit == null) {
            return grouping.window();
        }
        Window window = grouping.window().orElseThrow(() -> withoutWindow(emit));
        if (emit.emitted() == Emitted.EVERY) {
            throw binding.notSupported(
                    emit.at(),
                    "EMIT EVERY with windows",
                    "HOP(ts, slide, size) shows a longer window at each slide");
        } else if (emit.emitted() == Emitted.ON_WINDOW_CLOSE) {
            return Optional.of(window);
        } else if (window.isOfSessions()) {
            throw binding.error(
                    ErrorCode.INVALID_QUERY,
                    emit.at(),
                    "a session has packets, so none is empty",
                    "leave EMIT EMPTY out");
        }
        return Optional.of(window.with(rows(emit, grouping.keys().isEmpty())));
    }

    private WindowRows rows(ParsedStatement.Emit emit, boolean alone) {
        if (alone && emit.value() != null) {
            throw binding.error(
                    ErrorCode.INVALID_QUERY,
                    emit.value(),
                    "a query without keys has a row in every window",
                    "write EMIT EMPTY alone");
        } else if (alone) {
            return WindowRows.ALL;
        } else if (emit.value() == null) {
            throw binding.error(
                    ErrorCode.INVALID_QUERY,
                    emit.at(),
                    "EMIT EMPTY needs to know how long a key without packets has rows",
                    "write EMIT EMPTY FOR 10 WINDOWS");
        }
        return WindowRows.kept(windows(emit.value()));
    }

    private long windows(SqlNode node) {
        ConstantScope constants = new ConstantScope(binding, EMPTY);
        Expr bound = new ExpressionBinder(binding, constants).bind(node);
        if (bound instanceof Expr.Literal literal
                && literal.value() instanceof Long windows
                && windows >= 1
                && windows <= WindowRows.MOST_WINDOWS) {
            return windows;
        }
        throw binding.error(
                ErrorCode.INVALID_QUERY,
                node,
                "EMIT EMPTY is for 1 to " + WindowRows.MOST_WINDOWS + " windows",
                "write EMIT EMPTY FOR 10 WINDOWS");
    }

    private WeirException withoutWindow(ParsedStatement.Emit emit) {
        if (emit.emitted() == Emitted.EVERY) {
            return binding.notSupported(
                    emit.at(),
                    "EMIT EVERY",
                    "totals of live packets come once a second, as far as they change");
        }
        String clause = emit.emitted() == Emitted.EMPTY ? EMPTY : "EMIT ON WINDOW CLOSE";
        return binding.error(
                ErrorCode.INVALID_QUERY, emit.at(), clause + " without a window", WINDOW);
    }

    /** Throws if the clauses of a query do not go with rows that need more than one window. */
    void check(ParsedStatement.Query parsed, Query query) {
        Optional<Window> window =
                query.aggregate()
                        .flatMap(a -> a.window())
                        .filter(w -> w.rows().needsEmptyWindows());
        if (window.isEmpty()) {
            if (parsed.emit() != null && query.aggregate().isEmpty()) {
                throw withoutWindow(parsed.emit());
            }
            return;
        }
        boolean sessions = window.get().isOfSessions();
        SqlNode at = sessions ? parsed.query() : parsed.emit().at();
        String what = sessions ? "SESSION" : EMPTY;
        if (query.when().isPresent()) {
            throw binding.notSupported(
                    at, what + " in a query with WHEN", "create a query over this one");
        } else if (query.budget().flatMap(Budget::rank).isPresent()) {
            throw binding.notSupported(
                    at, what + " with on_overflow = 'topk'", "'evict' and 'fail' are");
        } else if (Undercount.shows(query)) {
            throw binding.notSupported(at, "undercount and left_out_most with " + what, null);
        } else if (sessions) {
            checkFolds(query, at);
        }
    }

    private void checkFolds(Query query, SqlNode at) {
        for (FoldCall call : query.aggregate().orElseThrow().folds()) {
            if (call.distinct()) {
                throw binding.notSupported(
                        at,
                        "COUNT(DISTINCT …) in sessions",
                        "APPROX_COUNT_DISTINCT(x) counts with an error of 1.6 %");
            } else if (call.fold().merge().isEmpty()) {
                throw binding.notSupported(
                        at,
                        call.fold().name() + " in sessions",
                        "its state cannot be merged: use TUMBLE");
            }
        }
    }
}
