package io.weir.sql.validate;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Expr.Literal;
import io.weir.operators.graph.Fold;
import io.weir.operators.graph.Kind;
import io.weir.operators.sketch.SketchFolds;
import io.weir.sql.validate.AggregateFunctions.Folded;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongFunction;
import org.apache.calcite.sql.SqlCall;

/** Binds aggregates by sketches as folds. */
final class ApproximateFunctions {
    static final Set<String> NAMES =
            Set.of("APPROX_COUNT_DISTINCT", "APPROX_QUANTILE", "APPROX_TOP", "APPROX_TOP_COUNT");

    private static final int MOST_ARGUMENTS = 8;
    private static final long LOWEST_RANK = 512;

    private final Binding binding;
    private final Conversions conversions;

    ApproximateFunctions(Binding binding) {
        this.binding = binding;
        conversions = new Conversions(binding);
    }

    Folded fold(SqlCall call, List<Operand> operands, Optional<Expr> filter) {
        String name = AggregateFunctions.name(call);
        if (AggregateFunctions.isDistinct(call)) {
            throw binding.notSupported(call, name + "(DISTINCT …)", "leave DISTINCT out");
        } else if (name.equals("APPROX_COUNT_DISTINCT")) {
            return distinct(call, operands, filter);
        } else if (operands.size() != 2) {
            throw wrong(call, name + " takes 2 arguments");
        }
        Operand value = operands.get(0);
        if (name.equals("APPROX_QUANTILE")) {
            Expr number =
                    conversions
                            .convert(value, Kind.DOUBLE)
                            .orElseThrow(
                                    () ->
                                            binding.mismatch(
                                                    value.node(),
                                                    name + " is not defined for " + value.kind(),
                                                    "it takes numbers; NANOSECONDS(x) is one"));
            Fold fold = SketchFolds.quantile(rank(call, operands.get(1)));
            return new Folded(name, fold, List.of(number), false, filter);
        }
        if (value.kind() == Kind.DOUBLE) {
            throw binding.mismatch(value.node(), name + " is not defined for DOUBLE", null);
        }
        LongFunction<Fold> fold =
                name.equals("APPROX_TOP")
                        ? n -> SketchFolds.top(value.kind(), n)
                        : n -> SketchFolds.topCount(value.kind(), n);
        long n = place(call, operands.get(1));
        return new Folded(name, fold.apply(n), List.of(value.expr()), false, filter);
    }

    private Folded distinct(SqlCall call, List<Operand> operands, Optional<Expr> filter) {
        if (operands.isEmpty() || operands.size() > MOST_ARGUMENTS) {
            throw wrong(call, "APPROX_COUNT_DISTINCT takes 1 to " + MOST_ARGUMENTS + " arguments");
        }
        Expr hash = SketchFolds.hashOf(operands.stream().map(Operand::expr).toList());
        return new Folded(
                "APPROX_COUNT_DISTINCT", SketchFolds.distinct(), List.of(hash), false, filter);
    }

    /** Returns a constant from 0 to 1. */
    private double rank(SqlCall call, Operand operand) {
        Expr written = binding.constant(operand.node(), operand.expr(), Literal.of(0.5));
        Optional<Expr> number =
                conversions.convert(new Operand(written, operand.node()), Kind.DOUBLE);
        if (number.isPresent()
                && number.get() instanceof Literal literal
                && literal.value() instanceof Double rank
                && rank >= 0
                && rank <= 1) {
            return rank;
        }
        throw wrong(call, "the rank is a constant from 0 to 1");
    }

    /** Returns a constant from 1 up. */
    private long place(SqlCall call, Operand operand) {
        Expr written = binding.constant(operand.node(), operand.expr(), Literal.of(1L));
        if (written instanceof Literal literal
                && literal.value() instanceof Long n
                && n >= 1
                && n <= LOWEST_RANK) {
            return n;
        }
        throw wrong(call, "n is a constant from 1 to " + LOWEST_RANK);
    }

    private WeirException wrong(SqlCall call, String message) {
        String form = FunctionList.form(AggregateFunctions.name(call));
        return binding.error(ErrorCode.INVALID_QUERY, call, message, "its form is " + form);
    }
}
