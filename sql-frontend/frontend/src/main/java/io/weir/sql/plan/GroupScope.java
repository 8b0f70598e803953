package io.weir.sql.plan;

import io.weir.operators.function.Magnitude;
import io.weir.operators.function.TableFunctions;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Expr.Variable;
import io.weir.operators.graph.Functions;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.LookupTable;
import io.weir.operators.graph.Operator;
import io.weir.operators.graph.Operator.FoldCall;
import io.weir.operators.graph.Operator.Named;
import io.weir.operators.graph.Type;
import io.weir.sql.grammar.ParsedStatement;
import io.weir.sql.validate.AggregateFunctions;
import io.weir.sql.validate.AggregateFunctions.Folded;
import io.weir.sql.validate.ExpressionBinder;
import io.weir.sql.validate.WindowBounds;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;

/**
 * Names and aggregates of an aggregating query, in SELECT, HAVING and ORDER BY. It binds over input
 * columns and fold results at once. {@link #regroup} then replaces parts that equal a key.
 */
class GroupScope extends ConstantScope {
    private static final List<String> FIVE_TUPLE =
            List.of("src_addr", "dst_addr", "src_port", "dst_port", "proto");

    final RowScope rows;
    private final Grouping grouping;
    private final AggregateFunctions functions;
    private final ColumnNames names;
    private final List<FoldCall> folds = new ArrayList<>();
    private final Set<Expr> results = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Map<String, Expr> aliases = new HashMap<>();
    private final boolean emitsEmpty;
    private final Optional<SessionColumns> session;

    /** Lookups that depend on group columns alone. */
    private final List<Named> lookups = new ArrayList<>();

    GroupScope(RowScope rows, Grouping grouping) {
        this(rows, grouping, null);
    }

    /**
     * @param emit null without EMIT
     */
    GroupScope(RowScope rows, Grouping grouping, ParsedStatement.Emit emit) {
        super(rows.binding, rows.clause);
        this.rows = rows;
        this.grouping = grouping;
        emitsEmpty = emit != null && emit.emitted() == ParsedStatement.Emitted.EMPTY;
        boolean groups = !grouping.keys().isEmpty() || grouping.window().isPresent();
        boolean ofRows = rows.source.stream().type().isOfQuery();
        functions = new AggregateFunctions(binding, groups && !emitsEmpty, ofRows);
        names = grouping.names();
        session = SessionColumns.of(rows, grouping, this::hidden);
    }

    /** Returns the column of a fold that no call in the statement names. */
    private Variable hidden(FoldCall unnamed) {
        Folded folded =
                new Folded(
                        unnamed.fold().name(),
                        unnamed.fold(),
                        unnamed.arguments(),
                        false,
                        Optional.empty());
        return result(folded);
    }

    /** Returns whether it is the start or end of the query's sessions. */
    boolean isSessionBound(Expr expr) {
        return session.filter(columns -> columns.isBound(expr)).isPresent();
    }

    /** Returns the names of the aggregate's columns, for others beside them. */
    ColumnNames names() {
        return names;
    }

    /** Returns the group columns, and lookups that each group has one value of. */
    List<Named> keys() {
        List<Named> keys = new ArrayList<>(grouping.keys());
        keys.addAll(lookups);
        return keys;
    }

    @Override
    public boolean canLookUp(Expr value) {
        return !grouping.keys().isEmpty() && !usesResults(value);
    }

    @Override
    public Optional<LookupTable> table(SqlIdentifier name) {
        return rows.table(name);
    }

    List<FoldCall> folds() {
        return folds;
    }

    /** Adds an alias of SELECT. A name that is no group column may be one from now on. */
    void alias(String name, Expr bound) {
        aliases.putIfAbsent(name, bound);
    }

    @Override
    public Expr column(SqlIdentifier name) {
        if (name.isSimple()) {
            Optional<Expr> own = own(name.getSimple());
            if (own.isPresent()) {
                return own.get();
            }
        }
        return rows.column(name);
    }

    private Optional<Expr> own(String name) {
        Optional<Expr> ofSession = session.flatMap(columns -> columns.find(name, this::result));
        if (ofSession.isPresent()) {
            return ofSession;
        } else if (grouping.window().isPresent() && RowScope.WINDOW_COLUMNS.contains(name)) {
            return Optional.of(result(Variable.column(name, Type.TIMESTAMP)));
        }
        boolean key = grouping.keys().stream().anyMatch(k -> isColumn(k.expr(), name));
        if (!key && aliases.containsKey(name)) {
            return Optional.of(aliases.get(name));
        }
        boolean input = rows.find(name).isPresent();
        return Stream.concat(Operator.Row.COLUMNS.stream(), Operator.Row.OF_OVERFLOW.stream())
                .filter(c -> !input && c.name().equals(name))
                .map(c -> (Expr) result(Variable.column(name, c.type())))
                .findFirst();
    }

    @Override
    public int bits(Variable column) {
        if (!results.contains(column)) {
            return rows.bits(column);
        } else if (column.type().kind() == Kind.TIMESTAMP) {
            return Magnitude.ofPackets(column);
        }
        return folds.stream()
                .filter(call -> call.name().equals(column.name()))
                .map(call -> Magnitude.of(call, rows::bits))
                .findFirst()
                .orElse(Magnitude.ofCount()); // what rows say of themselves counts packets
    }

    private static boolean isColumn(Expr expr, String name) {
        return expr instanceof Variable variable && variable.name().equals(name);
    }

    /** Marks a variable as one of the aggregate's own columns. */
    final Variable result(Variable variable) {
        results.add(variable);
        return variable;
    }

    @Override
    public Expr aggregate(SqlCall call, SqlNode filter, ExpressionBinder binder) {
        return fold(call, filter);
    }

    /** Returns the aggregate's result. Equal aggregates are computed once. */
    final Expr fold(SqlCall call, SqlNode filter) {
        RowScope inside = rows.in("an aggregate");
        if (AggregateFunctions.isOrdered(call)) {
            checkOrder(call);
        }
        Folded folded = functions.fold(call, filter, new ExpressionBinder(binding, inside));
        if (same(folded).isEmpty()) {
            folded.arguments().forEach(argument -> binding.taken(call, rows.kept(call, argument)));
            folded.filter().ifPresent(condition -> binding.taken(call, condition));
        }
        Variable value = result(folded);
        return emitsEmpty && !value.type().nullable() ? known(value) : value;
    }

    /** A count of packets that nobody could see is not 0. */
    private Expr known(Variable count) {
        Expr share = result(Operator.Row.COMPLETENESS);
        Expr seen = Functions.call(">", share, new Expr.Literal(0.0, Type.DOUBLE));
        Expr unknown = Expr.Literal.nullOf(count.type().kind());
        return Functions.call("CASE", seen, count, unknown);
    }

    private void checkOrder(SqlCall call) {
        List<String> missing = new ArrayList<>(FIVE_TUPLE);
        grouping.keys().forEach(key -> missing.removeIf(name -> isColumn(key.expr(), name)));
        if (!missing.isEmpty()) {
            throw invalid(
                    call,
                    AggregateFunctions.name(call) + " depends on the order of packets",
                    "order is kept within a flow: group by " + String.join(", ", missing) + " too");
        } else if (grouping.window()
                .filter(w -> w.panesPerWindow() > 1 || w.isOfSessions())
                .isPresent()) {
            boolean session = grouping.window().get().isOfSessions();
            throw binding.notSupported(
                    call,
                    AggregateFunctions.name(call)
                            + (session ? " in sessions" : " in windows that overlap"),
                    "its state cannot be merged: use TUMBLE");
        }
    }

    final Variable result(Folded folded) {
        FoldCall call = same(folded).orElseGet(() -> add(folded));
        return result(Variable.column(call.name(), call.column().type()));
    }

    private Optional<FoldCall> same(Folded folded) {
        return folds.stream().filter(call -> isSame(call, folded)).findFirst();
    }

    private static boolean isSame(FoldCall call, Folded folded) {
        return call.fold().equals(folded.fold())
                && call.arguments().equals(folded.arguments())
                && call.distinct() == folded.distinct()
                && call.filter().equals(folded.filter());
    }

    private FoldCall add(Folded folded) {
        String name = names.unique(ColumnNames.ofFold(folded));
        FoldCall call =
                new FoldCall(
                        name,
                        folded.fold(),
                        folded.arguments(),
                        folded.distinct(),
                        folded.filter());
        folds.add(call);
        return call;
    }

    @Override
    public Expr windowBound(SqlCall call, ExpressionBinder binder) {
        if (grouping.window().isEmpty()) {
            throw invalid(
                    call,
                    call.getOperator().getName().toUpperCase() + " without a window",
                    "group by " + WindowBounds.window(call).name() + "(…)");
        }
        Windowing window = new Windows(binding).ofBound(rows.source, call);
        if (!grouping.windowing().filter(window::equals).isPresent()) {
            throw invalid(
                    call,
                    "this is not the window of GROUP BY",
                    "give it the same arguments, or select window_start and window_end");
        }
        return own(RowScope.WINDOW_COLUMNS.get(WindowBounds.isStart(call) ? 0 : 1)).orElseThrow();
    }

    /**
     * Returns the expression over the aggregate's columns. Throws if it needs an ungrouped column.
     */
    final Expr regroup(Expr expr, SqlNode at) {
        if (results.contains(expr)) {
            return expr;
        }
        for (Named key : grouping.keys()) {
            if (key.expr().equals(expr)) {
                return key.column();
            }
        }
        if (TableFunctions.isResult(expr) && !grouping.keys().isEmpty() && isOfKeys(expr)) {
            return lookup(expr).column();
        } else if (expr instanceof Variable variable) {
            throw ungrouped(variable);
        } else if (expr instanceof Expr.Call call) {
            List<Expr> arguments = call.arguments().stream().map(a -> regroup(a, at)).toList();
            return binding.call(at, call.function(), arguments);
        }
        return expr;
    }

    private boolean isOfKeys(Expr expr) {
        return !results.contains(expr)
                && (grouping.keys().stream().anyMatch(key -> key.expr().equals(expr))
                        || expr instanceof Expr.Literal
                        || expr instanceof Expr.Call call
                                && call.arguments().stream().allMatch(this::isOfKeys));
    }

    private Named lookup(Expr expr) {
        return lookups.stream()
                .filter(known -> known.expr().equals(expr))
                .findFirst()
                .orElseGet(
                        () -> {
                            lookups.add(new Named(names.unique("lookup"), expr));
                            return lookups.get(lookups.size() - 1);
                        });
    }

    /** Returns whether the expression uses a fold's result or another column of the aggregate. */
    final boolean usesResults(Expr expr) {
        return results.contains(expr)
                || expr instanceof Expr.Call call
                        && call.arguments().stream().anyMatch(this::usesResults);
    }

    private RuntimeException ungrouped(Variable variable) {
        String hint =
                grouping.keys().isEmpty() && grouping.window().isEmpty()
                        ? "add GROUP BY " + variable.name() + ", or aggregate it"
                        : "add it to GROUP BY, or aggregate it";
        return invalid(
                rows.place(variable),
                variable.name() + " is neither a group column nor inside an aggregate",
                hint);
    }
}
