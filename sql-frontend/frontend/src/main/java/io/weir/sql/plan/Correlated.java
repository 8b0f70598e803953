package io.weir.sql.plan;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.Suggestion;
import io.weir.operators.error.WeirException;
import io.weir.operators.function.BindingFunctions;
import io.weir.operators.graph.Correlation;
import io.weir.operators.graph.Correlation.Equation;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Expr.Variable;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.Operator.Named;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.Type;
import io.weir.operators.graph.When;
import io.weir.sql.catalog.TimeColumn;
import io.weir.sql.validate.Binding;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * The columns of the upstreams in a query with WHEN. WHERE equates some with columns of the stream:
 * these are the key of a binding. Others in SELECT are values of the row that woke the binding.
 */
final class Correlated {
    private final Binding binding;
    private final List<Query> upstreams;
    private final String stream;
    private final List<Equation> equations = new ArrayList<>();
    private final List<Variable> values = new ArrayList<>();
    private Expr found;
    private Expr active;

    private Correlated(Binding binding, List<Query> upstreams, String stream) {
        this.binding = binding;
        this.upstreams = upstreams;
        this.stream = stream;
    }

    /** Returns whether a clause names a column of a query that is not its stream. */
    static Optional<SqlIdentifier> first(SelectParts parts, FromSource source) {
        return Contains.first(
                        parts.clauses(),
                        node ->
                                node instanceof SqlIdentifier id
                                        && !id.isStar()
                                        && id.names.size() == 2
                                        && !source.isQualifier(id.names.get(0)))
                .map(SqlIdentifier.class::cast);
    }

    /**
     * Reads the equations of WHERE.
     *
     * @param bind gives a value of the stream its meaning
     */
    static Correlated of(
            Binding binding,
            List<Query> upstreams,
            FromSource source,
            SelectParts parts,
            Function<SqlNode, Expr> bind) {
        Correlated made = new Correlated(binding, upstreams, source.alias());
        for (SqlNode condition : conjuncts(parts.where())) {
            if (made.isUsed(condition)) {
                made.equate(condition, bind);
            }
        }
        if (made.equations.isEmpty()) {
            throw made.noEquation(first(parts, source).orElseThrow());
        }
        made.checkWhole(parts.where());
        made.found = BindingFunctions.find(made.equations.stream().map(Equation::value).toList());
        made.active = BindingFunctions.active(made.found, time(source.stream().time()));
        made.collectValues(parts);
        return made;
    }

    /** Each upstream has all columns of the key, or none. */
    private void checkWhole(SqlNode where) {
        for (Query upstream : upstreams) {
            long has = equations.stream().filter(equation -> isOf(equation, upstream)).count();
            if (has > 0 && has < equations.size()) {
                throw binding.error(
                        ErrorCode.INVALID_QUERY,
                        where,
                        "WHERE equates "
                                + has
                                + " of "
                                + equations.size()
                                + " columns of the key with columns of "
                                + upstream.name(),
                        "the queries of one WHEN have the same key, or none");
            }
        }
    }

    private boolean isOf(Equation equation, Query upstream) {
        return upstream.columns().stream()
                .anyMatch(column -> equation.has(variable(upstream, column)));
    }

    /** Returns whether an upstream has the binding's key. */
    boolean isKeyed(Query upstream) {
        return equations.stream().anyMatch(equation -> isOf(equation, upstream));
    }

    private Variable variable(Query upstream, Variable column) {
        return upstreams.size() == 1 ? column : When.qualified(upstream.name(), column);
    }

    private void collectValues(SelectParts parts) {
        Contains.any(
                parts.clausesOfRows(),
                node -> {
                    if (isColumn(node)) {
                        Variable column = column((SqlIdentifier) node);
                        if (!values.contains(column) && ofKey(column).isEmpty()) {
                            values.add(column);
                        }
                    }
                    return false;
                });
    }

    /** Returns WHERE without the conditions that became the key; null if nothing is left. */
    SqlNode rest(SqlNode where) {
        List<SqlNode> left = conjuncts(where).stream().filter(part -> !isUsed(part)).toList();
        return left.stream()
                .reduce((a, b) -> SqlStdOperatorTable.AND.createCall(SqlParserPos.ZERO, a, b))
                .orElse(null);
    }

    private static List<SqlNode> conjuncts(SqlNode where) {
        if (where == null) {
            return List.of();
        } else if (where.getKind() != SqlKind.AND) {
            return List.of(where);
        }
        List<SqlNode> parts = new ArrayList<>();
        ((SqlCall) where).getOperandList().forEach(part -> parts.addAll(conjuncts(part)));
        return parts;
    }

    boolean isColumn(SqlNode node) {
        return node instanceof SqlIdentifier id
                && !id.isStar()
                && id.names.size() == 2
                && owner(id).isPresent()
                && !id.names.get(0).equals(stream);
    }

    private Optional<Query> owner(SqlIdentifier name) {
        return upstreams.stream()
                .filter(upstream -> upstream.name().equals(name.names.get(0)))
                .findFirst();
    }

    private String names() {
        return upstreams.stream().map(Query::name).collect(Collectors.joining(" or "));
    }

    private boolean isUsed(SqlNode node) {
        return Contains.any(List.of(node), this::isColumn);
    }

    private void equate(SqlNode condition, Function<SqlNode, Expr> bind) {
        if (condition.getKind() != SqlKind.EQUALS) {
            throw notEquated(condition);
        }
        SqlNode left = ((SqlCall) condition).operand(0);
        SqlNode right = ((SqlCall) condition).operand(1);
        SqlNode column = isColumn(left) ? left : right;
        SqlNode other = isColumn(left) ? right : left;
        if (!isColumn(column) || isUsed(other)) {
            throw notEquated(condition);
        }
        Variable key = column((SqlIdentifier) column);
        Expr value = bind.apply(other);
        if (value instanceof Expr.Literal) {
            throw notEquated(condition);
        } else if (value.type().kind() != key.type().kind() || key.type().kind() == Kind.DOUBLE) {
            throw binding.error(
                    ErrorCode.TYPE_MISMATCH,
                    condition,
                    "the key of a binding cannot equate "
                            + value.type().kind()
                            + " with "
                            + key.type().kind(),
                    "equate two columns of one type that is exact");
        } else if (ofKey(key).isPresent()) {
            throw binding.notSupported(
                    condition, "equating " + key.name() + " twice", "equate the stream's columns");
        }
        add(key, binding.taken(other, value), owner((SqlIdentifier) column).orElseThrow());
    }

    /** Adds a column to the equation of its value, or makes one. */
    private void add(Variable key, Expr value, Query owner) {
        for (int i = 0; i < equations.size(); i++) {
            Equation one = equations.get(i);
            if (upstreams.size() > 1 && one.value().equals(value) && !isOf(one, owner)) {
                List<Variable> others = new ArrayList<>(one.others());
                others.add(key);
                equations.set(i, new Equation(one.column(), one.value(), others));
                return;
            }
        }
        equations.add(new Equation(key, value));
    }

    private WeirException notEquated(SqlNode at) {
        return binding.notSupported(
                at,
                "this use of " + names() + " in WHERE",
                "WHERE equates columns of "
                        + names()
                        + " with columns of "
                        + stream
                        + ", joined by AND; others can stand in SELECT");
    }

    private WeirException noEquation(SqlIdentifier at) {
        String column = at.names.get(1);
        String query = at.names.get(0);
        return binding.error(
                ErrorCode.INVALID_QUERY,
                at,
                "WHERE equates no column of "
                        + query
                        + " with one of "
                        + stream
                        + ", so it is not known which row's "
                        + column
                        + " is meant",
                "write WHERE dst_addr = " + query + ".dst_addr, or leave it out");
    }

    private Variable column(SqlIdentifier name) {
        String wanted = name.names.get(1);
        Query upstream = owner(name).orElseThrow();
        List<String> known = upstream.columns().stream().map(Variable::name).toList();
        return upstream.columns().stream()
                .filter(c -> c.name().equals(wanted))
                .findFirst()
                .map(found -> variable(upstream, found))
                .orElseThrow(
                        () ->
                                binding.error(
                                        ErrorCode.UNKNOWN_COLUMN,
                                        name,
                                        "there is no column " + wanted + " in " + upstream.name(),
                                        Suggestion.hint(
                                                wanted,
                                                known,
                                                "its columns are " + String.join(", ", known))));
    }

    private Optional<Expr> ofKey(Variable column) {
        return equations.stream()
                .filter(equation -> equation.has(column))
                .map(Equation::value)
                .findFirst();
    }

    /** Returns the value of a column of the upstream, for a packet of the binding. */
    Expr value(SqlIdentifier name) {
        Variable column = column(name);
        return ofKey(column).orElseGet(() -> ofRow(column));
    }

    private Expr ofRow(Variable column) {
        int word = 0;
        for (Equation equation : equations) {
            word += BindingFunctions.words(equation.column().type().kind());
        }
        for (Variable before : values.subList(0, values.indexOf(column))) {
            word += 1 + BindingFunctions.words(before.type().kind());
        }
        return BindingFunctions.value(active, word + 1, column.type());
    }

    private static Expr time(TimeColumn time) {
        return time.isShown() && time.reads().shiftNs() == 0
                ? Variable.column(time.name(), Type.TIMESTAMP)
                : BindingFunctions.rowTime();
    }

    /** Returns the conditions that a packet belongs to a binding that counts. */
    List<Expr> conditions() {
        return List.of(BindingFunctions.isFound(found), BindingFunctions.isFound(active));
    }

    /**
     * Returns the hidden columns of GROUP BY: the activation's number first.
     *
     * @param unique makes a name that no other column has
     */
    List<Named> keys(UnaryOperator<String> unique) {
        List<Named> keys = new ArrayList<>();
        keys.add(new Named(unique.apply("activation"), BindingFunctions.id(active)));
        for (Equation equation : equations) {
            String name =
                    equation.value() instanceof Variable own
                            ? own.name()
                            : hidden(equation.column());
            keys.add(new Named(unique.apply(name), equation.value()));
        }
        for (Variable column : values) {
            keys.add(new Named(unique.apply(hidden(column)), ofRow(column)));
        }
        return keys;
    }

    private String hidden(Variable column) {
        return upstreams.size() == 1
                ? upstreams.get(0).name() + "_" + column.name()
                : column.name().replace('.', '_');
    }

    /** Returns the part of the plan's WHEN. */
    Correlation correlation(BindingSettings settings) {
        return new Correlation(equations, values, settings.most(), settings.idleNs());
    }
}
