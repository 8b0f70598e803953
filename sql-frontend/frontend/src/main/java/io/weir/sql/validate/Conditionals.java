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

/** Binds CASE, and functions that are a CASE: COALESCE, NULLIF, GREATEST, LEAST, IS TRUE. */
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
        List<Expr> values = alike(choice, "CASE", binder.operands(results));
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

    /** Converts the operands to the kind that all can take. */
    private List<Expr> alike(SqlNode at, String what, List<Operand> operands) {
        Kind kind =
                conversions
                        .common(operands)
                        .orElseThrow(() -> binding.mismatch(at, unlike(what, operands), null));
        return operands.stream().map(o -> conversions.convert(o, kind).orElseThrow()).toList();
    }

    private static String unlike(String what, List<Operand> operands) {
        List<String> kinds = operands.stream().map(Operand::kindName).distinct().toList();
        return "the values of " + what + " are of different types: " + String.join(", ", kinds);
    }

    Expr coalesce(SqlCall call, List<Operand> operands) {
        List<Expr> values = alike(call, "COALESCE", operands);
        List<Expr> parts = new ArrayList<>();
        for (Expr value : values.subList(0, values.size() - 1)) {
            if (!value.type().nullable()) {
                parts.add(value); // later operands are never reached
                break;
            }
            parts.add(not(call, isNull(call, value)));
            parts.add(value);
        }
        if (parts.size() % 2 == 0) {
            parts.add(values.get(values.size() - 1));
        }
        return parts.size() == 1 ? parts.get(0) : choose(call, parts);
    }

    Expr nullIf(SqlCall call, List<Operand> operands) {
        Expr equal = comparisons.compare(call, "=", operands.get(0), operands.get(1));
        Expr value = operands.get(0).expr();
        return choose(call, List.of(equal, Literal.nullOf(value.type().kind()), value));
    }

    /** Binds GREATEST ({@code operator} is &gt;=) and LEAST (&lt;=): NULL when any operand is. */
    Expr extreme(SqlCall call, String operator, List<Operand> operands) {
        List<Expr> values = alike(call, call.getOperator().getName().toUpperCase(), operands);
        Expr best = best(call, operator, values);
        List<Expr> absent =
                values.stream().filter(v -> v.type().nullable()).map(v -> isNull(call, v)).toList();
        if (absent.isEmpty()) {
            return best;
        }
        Expr anyNull =
                absent.size() == 1 ? absent.get(0) : binding.call(call, Functions.OR, absent);
        Kind kind = best.type().kind();
        return choose(call, List.of(anyNull, Literal.nullOf(kind), best));
    }

    /** It works by halves. Each round uses a value twice, so the total is at most quadratic. */
    private Expr best(SqlCall call, String operator, List<Expr> values) {
        if (values.size() == 1) {
            return values.get(0);
        }
        int half = (values.size() + 1) / 2;
        Expr left = best(call, operator, values.subList(0, half));
        Expr right = best(call, operator, values.subList(half, values.size()));
        Expr better =
                comparisons.compare(
                        call, operator, new Operand(left, call), new Operand(right, call));
        return choose(call, List.of(better, left, right));
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
