package io.weir.sql.validate;

import io.weir.operators.function.Terms;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Function;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.calcite.sql.SqlCall;

/** A call in the text whose function is made of SQL's operators. Errors point at it. */
record CallTerms(
        Binding binding,
        Conversions conversions,
        Comparisons comparisons,
        Arithmetic arithmetic,
        SqlCall call,
        List<Operand> operands)
        implements Terms {
    private static final Set<String> COMPARISONS = Set.of("=", "<>", "<", "<=", ">", ">=");

    @Override
    public List<Expr> arguments() {
        return operands.stream().map(Operand::expr).toList();
    }

    @Override
    public List<Expr> alike() {
        String name = call.getOperator().getName().toUpperCase(Locale.ROOT);
        return conversions.alike(call, name, operands);
    }

    @Override
    public Expr operator(String operator, Expr left, Expr right) {
        return COMPARISONS.contains(operator)
                ? comparisons.compare(call, operator, operand(left), operand(right))
                : arithmetic.binary(call, operator, operand(left), operand(right));
    }

    @Override
    public Expr call(Function function, List<Expr> arguments) {
        return binding.call(call, function, arguments);
    }

    /** Finds the operand of an argument. Its place is in the error's message. */
    private Operand operand(Expr expr) {
        return operands.stream()
                .filter(o -> o.expr() == expr)
                .findFirst()
                .orElse(new Operand(expr, call));
    }
}
