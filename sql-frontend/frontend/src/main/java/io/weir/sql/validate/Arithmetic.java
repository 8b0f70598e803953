package io.weir.sql.validate;

import io.weir.operators.function.Magnitude;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Expr.Literal;
import io.weir.operators.graph.Function;
import io.weir.operators.graph.Functions;
import io.weir.operators.graph.Kind;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.calcite.sql.SqlNode;

/**
 * Binds + - * / % and shifts over integers, reals, times and intervals. A whole number that leaves
 * 64 bits is NULL. Integer by integer is an integer, cut towards zero. Division by zero is NULL.
 */
final class Arithmetic {
    private final Binding binding;
    private final Conversions conversions;
    private final Magnitude magnitude;

    Arithmetic(Binding binding, Conversions conversions, Magnitude magnitude) {
        this.binding = binding;
        this.conversions = conversions;
        this.magnitude = magnitude;
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
                .map(function -> checked(at, function, List.of(left, right)));
    }

    /** Returns what a function has made, with a check if its value can leave 64 bits (ABS). */
    Expr checked(SqlNode at, Expr made) {
        return made instanceof Expr.Call call && !magnitude.fits(call.function(), call.arguments())
                ? binding.call(at, Functions.checked(call.function()), call.arguments())
                : made;
    }

    /** Makes a call that is NULL beyond 64 bits, if its value can be that large. */
    private Expr checked(SqlNode at, Function function, List<Expr> arguments) {
        boolean fits = magnitude.fits(function, arguments);
        return binding.call(at, fits ? function : Functions.checked(function), arguments);
    }

    /** Handles interval + time and number * interval, which the graph has in the other order. */
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
        return binding.mismatch(
                at,
                operator + " is not defined for " + left.kindName() + " and " + right.kindName(),
                hint(operator, EnumSet.of(left.kind(), right.kind())));
    }

    private static String hint(String operator, Set<Kind> kinds) {
        boolean number = kinds.contains(Kind.BIGINT) || kinds.contains(Kind.DOUBLE);
        if (number && kinds.contains(Kind.TIMESTAMP)) {
            return "to a time an interval is added, as INTERVAL '5' SECOND";
        } else if (number && kinds.contains(Kind.INTERVAL)) {
            return "NANOSECONDS(x) / 1e9 is an interval in seconds";
        }
        return operator.equals("%") && number ? "the remainder is for integers" : null;
    }

    /** Binds + or - before one operand, which must be a number or an interval. */
    Expr signed(SqlNode at, String sign, Operand operand) {
        Expr negative =
                Functions.find("negate", List.of(operand.kind()))
                        .map(negate -> negative(at, negate, operand.expr()))
                        .orElseThrow(
                                () ->
                                        binding.mismatch(
                                                at,
                                                sign + " is not defined for " + operand.kindName(),
                                                null));
        return sign.equals("-") ? negative : operand.expr();
    }

    private Expr negative(SqlNode at, Function negate, Expr expr) {
        if (expr instanceof Literal literal
                && literal.value() instanceof Long value
                && value != Long.MIN_VALUE) {
            return new Literal(-value, literal.type());
        } else if (expr instanceof Literal literal && literal.value() instanceof Double value) {
            return new Literal(-value, literal.type());
        }
        return checked(at, negate, List.of(expr));
    }
}
