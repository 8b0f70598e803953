package io.weir.sql.validate;

import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Expr.Literal;
import io.weir.operators.graph.Functions;
import io.weir.operators.graph.Kind;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.fun.SqlCase;

/** Binds CASE, and tests that are a CASE: IS TRUE, IS DISTINCT FROM. */
final class Conditionals {
    private final Binding binding;
    private final Conversions conversions;
    private final Comparisons comparisons;

    Conditionals(Binding binding, Conversions conversions, Comparisons comparisons) {
        this.binding = binding;
        this.conversions = conversions;
        this.comparisons = comparisons;
    }

    /** Binds CASE [value] WHEN … THEN … ELSE … END. */
    Expr choose(SqlCase choice, ExpressionBinder binder) {
        List<Expr> conditions = new ArrayList<>();
        List<SqlNode> results = new ArrayList<>(choice.getThenOperands());
        Operand value =
                choice.getValueOperand() == null ? null : binder.operand(choice.getValueOperand());
        for (SqlNode when : choice.getWhenOperands()) {
            conditions.add(
                    value == null
                            ? binder.condition(when, "WHEN")
                            : comparisons.compare(when, "=", value, binder.operand(when)));
        }
        if (choice.getElseOperand() != null) {
            results.add(choice.getElseOperand());
        }
        List<Expr> values = conversions.alike(choice, "CASE", binder.operands(results));
        List<Expr> parts = new ArrayList<>();
        for (int i = 0; i < conditions.size(); i++) {
            parts.add(conditions.get(i));
            parts.add(values.get(i));
        }
        parts.add(
                values.size() > conditions.size()
                        ? values.get(values.size() - 1)
                        : Literal.nullOf(values.get(0).type().kind()));
        return choose(choice, parts);
    }

    private Expr choose(SqlNode at, List<Expr> parts) {
        return binding.call(at, Functions.CASE, parts);
    }

    private Expr isNull(SqlNode at, Expr value) {
        return binding.call(at, Functions.IS_NULL, List.of(value));
    }

    private Expr not(SqlNode at, Expr condition) {
        return binding.call(at, Functions.NOT, List.of(condition));
    }

    /** Binds IS [NOT] NULL, TRUE, FALSE, UNKNOWN, which are never NULL themselves. */
    Expr is(SqlCall call, Operand operand) {
        Expr value = operand.expr();
        return switch (call.getKind()) {
            case IS_NULL, IS_UNKNOWN -> isNull(call, value);
            case IS_NOT_NULL -> not(call, isNull(call, value));
            default -> isTruth(call, operand);
        };
    }

    /** Binds IS [NOT] DISTINCT FROM, for which NULL is a value like others. */
    Expr distinct(SqlCall call, List<Operand> sides) {
        Expr equal = comparisons.compare(call, "=", sides.get(0), sides.get(1));
        List<Expr> absent = sides.stream().map(side -> isNull(call, side.expr())).toList();
        Expr both = binding.call(call, Functions.AND, absent);
        Expr same = choose(call, List.of(equal, Literal.of(true), both));
        return call.getKind() == SqlKind.IS_DISTINCT_FROM ? not(call, same) : same;
    }

    private Expr isTruth(SqlCall call, Operand operand) {
        if (operand.kind() != Kind.BOOLEAN) {
            throw binding.mismatch(
                    call,
                    call.getOperator().getName()
                            + " asks of a condition, not of "
                            + operand.kindName(),
                    null);
        }
        Expr value = operand.expr();
        Expr yes = Literal.of(true);
        Expr no = Literal.of(false);
        return switch (call.getKind()) {
            case IS_TRUE -> choose(call, List.of(value, yes, no));
            case IS_NOT_TRUE -> choose(call, List.of(value, no, yes));
            case IS_FALSE -> choose(call, List.of(not(call, value), yes, no));
            default -> choose(call, List.of(not(call, value), no, yes));
        };
    }
}
