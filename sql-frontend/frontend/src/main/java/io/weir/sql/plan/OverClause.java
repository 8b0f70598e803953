package io.weir.sql.plan;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.function.Magnitude;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Expr.Literal;
import io.weir.operators.graph.Expr.Variable;
import io.weir.operators.graph.Functions;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.Operator;
import io.weir.operators.graph.Operator.Named;
import io.weir.operators.graph.Operator.OverCall;
import io.weir.operators.graph.OverFrame;
import io.weir.operators.graph.OverFunction;
import io.weir.operators.graph.Type;
import io.weir.sql.validate.Binding;
import io.weir.sql.validate.Environment;
import io.weir.sql.validate.ExpressionBinder;
import io.weir.sql.validate.OverFunctions;
import io.weir.sql.validate.OverWords;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;

/**
 * Plans OVER and QUALIFY. It also gives names their meaning in SELECT, QUALIFY and ORDER BY.
 * Aliases of SELECT can be used there.
 */
final class OverClause implements Environment {
    private final Binding binding;
    private final OverInput input;
    private final Map<String, SqlNode> aliases = new HashMap<>();

    /** Aliases that are being bound: an alias inside its own item means a column. */
    private final Set<String> open = new HashSet<>();

    private final List<OverCall> calls = new ArrayList<>();
    private final Map<String, Named> passed = new LinkedHashMap<>();

    OverClause(Binding binding, OverInput input, List<SelectItem> items) {
        this.binding = binding;
        this.input = input;
        items.forEach(item -> item.alias().ifPresent(name -> aliases.put(name, item.node())));
        if (!input.time().isEmpty()) {
            passed(input.scope().column(identifier(items, input.time())));
        }
    }

    private static SqlIdentifier identifier(List<SelectItem> items, String name) {
        return new SqlIdentifier(name, items.get(0).node().getParserPosition());
    }

    /** Returns the first call with OVER, or else the condition of QUALIFY. */
    static Optional<SqlNode> first(SelectParts parts) {
        List<SqlNode> all = new ArrayList<>(parts.items());
        all.add(parts.qualify());
        all.addAll(parts.order());
        return Contains.over(all).or(() -> Optional.ofNullable(parts.qualify()));
    }

    /** Returns an item of SELECT or ORDER BY, over the columns of OVER. */
    Expr bind(SqlNode node) {
        Expr expr = input.lowered(new ExpressionBinder(binding, this).bind(node), node);
        passed(expr);
        return expr;
    }

    /** Returns the condition of QUALIFY; empty without one. */
    Optional<Expr> qualify(SelectParts parts) {
        SqlNode node = parts.qualify();
        if (node == null) {
            return Optional.empty();
        }
        Expr bound = new ExpressionBinder(binding, this).condition(node, "QUALIFY");
        if (calls.isEmpty()) {
            throw invalid(node, "QUALIFY without OVER", "HAVING filters groups, WHERE rows");
        }
        Expr condition = binding.taken(node, input.lowered(bound, node));
        passed(condition);
        return Optional.of(condition);
    }

    /** Returns the columns that single rows need, after all clauses were bound. */
    List<Named> passed() {
        return List.copyOf(passed.values());
    }

    /** Returns the operators over those that make single rows. */
    Operator above(Operator below, Optional<Expr> qualify, List<Named> outputs) {
        Operator over =
                new Operator.Over(new Operator.Project(below, passed()), input.time(), calls);
        return new Operator.Project(Filters.over(over, qualify), outputs);
    }

    /** Passes the columns on that an expression uses. */
    private void passed(Expr expr) {
        if (expr instanceof Variable column) {
            if (!isOver(column)) {
                passed.putIfAbsent(column.name(), new Named(column.name(), column));
            }
        } else if (expr instanceof Expr.Call call) {
            call.arguments().forEach(this::passed);
        }
    }

    private boolean isOver(Variable column) {
        return calls.stream().anyMatch(call -> call.name().equals(column.name()));
    }

    @Override
    public Expr column(SqlIdentifier name) {
        String simple = name.isSimple() && !name.isStar() ? name.getSimple() : "";
        SqlNode item = input.hasColumn(simple) ? null : aliases.get(simple);
        if (item == null || !open.add(simple)) {
            return input.scope().column(name);
        }
        try {
            return new ExpressionBinder(binding, this).bind(item);
        } finally {
            open.remove(simple);
        }
    }

    @Override
    public Expr aggregate(SqlCall call, SqlNode filter, ExpressionBinder binder) {
        return input.scope().aggregate(call, filter, binder);
    }

    @Override
    public Expr windowBound(SqlCall call, ExpressionBinder binder) {
        return input.scope().windowBound(call, binder);
    }

    @Override
    public int bits(Variable column) {
        for (OverCall call : calls) {
            if (call.name().equals(column.name())) {
                boolean counts = call.function().isRank() || call.function() == OverFunction.COUNT;
                return counts ? Magnitude.ofCount() : Long.SIZE;
            }
        }
        return input.scope().bits(column);
    }

    /** NEW is true if the key's row before, in time, is too old or was never there. */
    private Expr alone(SqlCall call) {
        input.checkHistory(call);
        Variable time = time(call);
        ExpressionBinder here = new ExpressionBinder(binding, this);
        List<Expr> arguments = new OverFunctions(binding).arguments(call, here);
        boolean since = !(isInterval(arguments.get(arguments.size() - 1)) && isNew(call));
        int keys = since ? arguments.size() : arguments.size() - 1;
        List<String> partition = new ArrayList<>();
        for (int k = 0; k < keys; k++) {
            partition.add(value(arguments.get(k), call.operand(k)).name());
        }
        if (since) {
            OverFrame own = new OverFrame(0, 0, false);
            return input.added(
                    added(
                                    new OverCall(
                                            "",
                                            OverFunction.NEW_SINCE,
                                            List.of(),
                                            partition,
                                            List.of(),
                                            own,
                                            true,
                                            Type.TIMESTAMP))
                            .column());
        }
        OverCall before =
                new OverCall(
                        "",
                        OverFunction.LAG,
                        List.of(time, Literal.of(1L)),
                        partition,
                        List.of(),
                        OverFrame.WHOLE,
                        true,
                        Type.TIMESTAMP.orNull());
        Variable last = input.added(added(before).column());
        Expr never = Functions.call(Functions.IS_NULL, List.of(last));
        Expr silent = Functions.call("-", time, last);
        Expr old = Functions.call(">", silent, arguments.get(keys));
        return Functions.call("CASE", never, Literal.of(true), old);
    }

    private static boolean isNew(SqlCall call) {
        return OverWords.word(call).equals("NEW");
    }

    private static boolean isInterval(Expr expr) {
        return expr.type().kind() == Kind.INTERVAL;
    }

    /** Returns the column of single rows that tells their window. */
    private Variable time(SqlCall call) {
        String name = input.time().isEmpty() ? Operator.Aggregate.WINDOW_END : input.time();
        SqlIdentifier column = new SqlIdentifier(name, call.getParserPosition());
        Expr bound = input.hasColumn(name) ? input.scope().column(column) : null;
        if (bound == null || !input.isTime(input.lowered(bound, call))) {
            throw invalid(
                    call,
                    OverWords.word(call) + " needs windows, and these rows have none",
                    "group by TUMBLE(ts, INTERVAL '1' SECOND)");
        }
        return value(bound, call);
    }

    private OverCall added(OverCall made) {
        for (OverCall call : calls) {
            if (named(made, call.name()).equals(call)) {
                return call;
            }
        }
        calls.add(named(made, input.unique(made.function().name().toLowerCase(Locale.ROOT))));
        return calls.get(calls.size() - 1);
    }

    private static OverCall named(OverCall call, String name) {
        return new OverCall(
                name,
                call.function(),
                call.arguments(),
                call.partition(),
                call.orders(),
                call.frame(),
                call.history(),
                call.type());
    }

    @Override
    public Expr over(SqlCall call, ExpressionBinder binder) {
        if (OverWords.isAlone(call)) {
            return alone(call);
        }
        Contains.over(call.getOperandList())
                .ifPresent(
                        nested -> {
                            throw nested(nested);
                        });
        ExpressionBinder here = new ExpressionBinder(binding, this);
        OverFunctions.Bound bound = new OverFunctions(binding).bind(call.operand(0), here);
        OverWindow window = new OverWindow(binding, input, call, bound, here, this::value);
        List<Expr> arguments = new ArrayList<>();
        for (int a = 0; a < bound.arguments().size(); a++) {
            boolean distance = a == 1 && bound.function().isShift();
            Expr argument = bound.arguments().get(a);
            arguments.add(distance ? argument : value(argument, call.operand(0)));
        }
        return input.added(added(window.call(bound, arguments)).column());
    }

    /** Returns the column of single rows that has the value of an expression. */
    private Variable value(Expr bound, SqlNode at) {
        Expr lowered = input.lowered(bound, at);
        if (usesOver(lowered)) {
            throw nested(at);
        } else if (lowered instanceof Variable column) {
            passed(column);
            return column;
        }
        for (Named known : passed.values()) {
            if (known.expr().equals(lowered)) {
                return known.column();
            }
        }
        String name = input.unique(lowered instanceof Literal ? "constant" : "value");
        Named added = new Named(name, binding.taken(at, lowered));
        passed.put(name, added);
        return added.column();
    }

    private boolean usesOver(Expr expr) {
        return expr instanceof Variable column && isOver(column)
                || expr instanceof Expr.Call call
                        && call.arguments().stream().anyMatch(this::usesOver);
    }

    private WeirException nested(SqlNode at) {
        return invalid(at, "OVER inside OVER", "make the inner one a query, and select from it");
    }

    private WeirException invalid(SqlNode at, String message, String hint) {
        return binding.error(ErrorCode.INVALID_QUERY, at, message, hint);
    }
}
