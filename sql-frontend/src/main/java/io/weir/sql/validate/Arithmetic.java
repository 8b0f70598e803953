package io.weir.sql.validate;

import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Expr.Literal;
import io.weir.operators.graph.Functions;
import io.weir.operators.graph.Kind;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.sql.SqlNode;

/**
 * + - * / % and shifts over integers, reals, times and intervals. Integers wrap at 64 bits; integer
 * by integer is an integer, cut towards zero; division by zero is NULL.
 */
final class Arithmetic {
    private final Binding binding;
    private final Conversions conversions;

    Arithmetic(Binding binding, Conversions conversions) {
        this.binding = binding;
        this.conversions = conversions;
    }

    Expr binary(SqlNode at, String operator, Operand left, Operand right) {
        Optional<Expr> exact = over(at, operator, left.expr(), right.expr());
        if (exact.isPresent() && !left.isNull() && !right.isNull()) {
            return exact.get();
        }
        Optional<Expr> swapped = swapped(at, operator, left, right);
        if (swapped.isPresent()) {
            return swapped.get();
        }
        Optional<Kind> kind = conversions.common(List.of(left, right));
        return kind.flatMap(k -> converted(at, operator, k, left, right))
                .or(() -> exact) // NULL, as the number of an interval
                .orElseThrow(() -> mismatch(at, operator, left, right));
    }

    private Optional<Expr> over(SqlNode at, String operator, Expr left, Expr right) {
        List<Kind> kinds = List.of(left.type().kind(), right.type().kind());
        return Functions.find(operator, kinds)
                .map(function -> binding.call(at, function, List.of(left, right)));
    }

    /** interval + time, number * interval: the graph has them the other way round. */
    private Optional<Expr> swapped(SqlNode at, String operator, Operand left, Operand right) {
        boolean commutes = operator.equals("+") || operator.equals("*");
        return commutes && left.kind() != right.kind()
                ? over(at, operator, right.expr(), left.expr())
                : Optional.empty();
    }

    private Optional<Expr> converted(
            SqlNode at, String operator, Kind kind, Operand left, Operand right) {
        Optional<Expr> a = conversions.convert(left, kind);
        Optional<Expr> b = conversions.convert(right, kind);
        return a.isPresent() && b.isPresent()
                ? over(at, operator, a.get(), b.get())
                : Optional.empty();
    }

    private RuntimeException mismatch(SqlNode at, String operator, Operand left, Operand right) {
        String hint =
                operator.equals("%") && left.kind() == Kind.DOUBLE
                        ? "the remainder is for integers"
                        : null;
        return binding.mismatch(
                at,
                operator + " is not defined for " + left.kindName() + " and " + right.kindName(),
                hint);
    }

    Expr negate(SqlNode at, Operand operand) {
        if (operand.expr() instanceof Literal literal) {
            if (literal.value() instanceof Long value) {
                return new Literal(-value, literal.type());
            } else if (literal.value() instanceof Double value) {
                return new Literal(-value, literal.type());
            }
        }
        Optional<Expr> call =
                Functions.find("negate", List.of(operand.kind()))
                        .map(f -> binding.call(at, f, List.of(operand.expr())));
        return call.orElseThrow(
                () -> binding.mismatch(at, "- is not defined for " + operand.kindName(), null));
    }
}
