package io.weir.sql.validate;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Expr.Literal;
import io.weir.operators.graph.Fold;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.OrderedFolds;
import io.weir.sql.validate.AggregateFunctions.Folded;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;

/** Binds aggregates that depend on the order of packets, as folds. */
final class OrderedFunctions {
    static final Set<String> NAMES =
            Set.of("FIRST", "LAST", "EWMA", "NON_MONOTONIC", "OUT_OF_SEQUENCE", "GAPS");

    private final Binding binding;
    private final Conversions conversions;

    OrderedFunctions(Binding binding) {
        this.binding = binding;
        conversions = new Conversions(binding);
    }

    Folded fold(SqlCall call, List<Operand> given, Optional<Expr> filter) {
        List<Operand> operands = withoutOffset(call, given);
        String name = AggregateFunctions.name(call);
        if (AggregateFunctions.isDistinct(call)) {
            throw binding.notSupported(call, name + "(DISTINCT …)", "leave DISTINCT out");
        }
        Fold fold =
                name.equals("FIRST") || name.equals("LAST") ? end(call, operands) : ofKinds(name);
        if (operands.size() != fold.arguments().size()) {
            throw binding.error(
                    ErrorCode.INVALID_QUERY,
                    call,
                    name + " takes " + count(fold.arguments().size()),
                    "its form is " + FunctionList.form(name));
        }
        List<Expr> arguments = new ArrayList<>();
        for (int i = 0; i < operands.size(); i++) {
            arguments.add(argument(name, operands.get(i), fold.arguments().get(i)));
        }
        if (arguments.size() == 2 && arguments.get(1) instanceof Literal constant) {
            checkConstant(call, name, constant);
        }
        return new Folded(name, fold, arguments, false, filter);
    }

    /** The grammar has FIRST and LAST of MATCH_RECOGNIZE, and adds their offset of 0. */
    private static List<Operand> withoutOffset(SqlCall call, List<Operand> operands) {
        boolean pattern = call.getKind() == SqlKind.FIRST || call.getKind() == SqlKind.LAST;
        boolean offset =
                pattern && operands.size() == 2 && operands.get(1).expr().equals(Literal.of(0L));
        return offset ? operands.subList(0, 1) : operands;
    }

    private static Fold ofKinds(String name) {
        return switch (name) {
            case "EWMA" -> OrderedFolds.ewma();
            case "NON_MONOTONIC" -> OrderedFolds.nonMonotonic();
            case "OUT_OF_SEQUENCE" -> OrderedFolds.outOfSequence();
            default -> OrderedFolds.gaps();
        };
    }

    private Fold end(SqlCall call, List<Operand> operands) {
        Kind kind = operands.isEmpty() ? Kind.BIGINT : operands.get(0).kind();
        if (kind == Kind.INET || kind == Kind.VARCHAR) {
            throw binding.mismatch(
                    call, AggregateFunctions.name(call) + " is not defined for " + kind, null);
        }
        return AggregateFunctions.name(call).equals("FIRST")
                ? OrderedFolds.first(kind)
                : OrderedFolds.last(kind);
    }

    private Expr argument(String name, Operand operand, Expr.Variable wanted) {
        Kind kind = wanted.type().kind();
        return conversions
                .convert(operand, kind)
                .orElseThrow(
                        () ->
                                binding.mismatch(
                                        operand.node(),
                                        name + " needs " + kind + " here",
                                        "its form is " + FunctionList.form(name)));
    }

    /** A column may have any value. A constant without sense is a mistake. */
    private void checkConstant(SqlCall call, String name, Literal constant) {
        String wrong = null;
        if (name.equals("EWMA") && constant.value() instanceof Double alpha) {
            wrong = alpha > 0 && alpha <= 1 ? null : "alpha is over 0, and at most 1";
        } else if (name.equals("GAPS") && constant.value() instanceof Long lengthNs) {
            wrong = lengthNs >= 0 ? null : "no pause is shorter than nothing";
        }
        if (wrong != null) {
            String form = "its form is " + FunctionList.form(name);
            throw binding.error(ErrorCode.INVALID_QUERY, call, wrong, form);
        }
    }

    private static String count(int arguments) {
        return arguments == 1 ? "one argument" : arguments + " arguments";
    }
}
