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
import io.weir.sql.catalog.TimeColumn;
import io.weir.sql.validate.Binding;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * The columns of the upstream in a query with WHEN. WHERE equates some with columns of the stream:
 * these are the key of a binding. Others in SELECT are values of the row that woke the binding.
 */
final class Correlated {
    private final Binding binding;
    private final Query upstream;
    private final String stream;
    private final List<Equation> equations = new ArrayList<>();
    private final List<Variable> values = new ArrayList<>();
    private Expr found;
    private Expr active;

    private Correlated(Binding binding, Query upstream, String stream) {
        this.binding = binding;
        this.upstream = upstream;
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
            Query upstream,
            FromSource source,
            SelectParts parts,
            Function<SqlNode, Expr> bind) {
        Correlated made = new Correlated(binding, upstream, source.alias());
        for (SqlNode condition : conjuncts(parts.where())) {
            if (made.isUsed(condition)) {
                made.equate(condition, bind);
            }
        }
        if (made.equations.isEmpty()) {
            throw made.noEquation(first(parts, source).orElseThrow());
        }
        made.found = BindingFunctions.find(made.equations.stream().map(Equation::value).toList());
        made.active = BindingFunctions.active(made.found, time(source.stream().time()));
        made.collectValues(parts);
        return made;
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
                && id.names.get(0).equals(upstream.name())
                && !upstream.name().equals(stream);
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
        equations.add(new Equation(key, binding.taken(other, value)));
    }

    private WeirException notEquated(SqlNode at) {
        return binding.notSupported(
                at,
                "this use of " + upstream.name() + " in WHERE",
                "WHERE equates columns of "
                        + upstream.name()
                        + " with columns of "
                        + stream
                        + ", joined by AND; others can stand in SELECT");
    }

    private WeirException noEquation(SqlIdentifier at) {
        String column = at.names.get(1);
        return binding.error(
                ErrorCode.INVALID_QUERY,
                at,
                "WHERE equates no column of "
                        + upstream.name()
                        + " with one of "
                        + stream
                        + ", so it is not known which row's "
                        + column
                        + " is meant",
                "write WHERE dst_addr = " + upstream.name() + ".dst_addr, or leave it out");
    }

    private Variable column(SqlIdentifier name) {
        String wanted = name.names.get(1);
        List<String> known = upstream.columns().stream().map(Variable::name).toList();
        return upstream.columns().stream()
                .filter(c -> c.name().equals(wanted))
                .findFirst()
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
                .filter(equation -> equation.column().equals(column))
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
                            : upstream.name() + "_" + equation.column().name();
            keys.add(new Named(unique.apply(name), equation.value()));
        }
        for (Variable column : values) {
            String name = upstream.name() + "_" + column.name();
            keys.add(new Named(unique.apply(name), ofRow(column)));
        }
        return keys;
    }

    /** Returns the part of the plan's WHEN. */
    Correlation correlation(BindingSettings settings) {
        return new Correlation(equations, values, settings.most(), settings.idleNs());
    }
}
