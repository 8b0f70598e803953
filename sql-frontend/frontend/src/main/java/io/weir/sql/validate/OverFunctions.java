package io.weir.sql.validate;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.function.FunctionDef;
import io.weir.operators.function.Meaning;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Expr.Literal;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.OverFunction;
import io.weir.operators.graph.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;

/** Functions before OVER, as the registry has them. */
public final class OverFunctions {
    private static final String TAKEN =
            "COUNT, SUM, AVG, MIN, MAX, STDDEV and VARIANCE are, ROW_NUMBER, RANK, LAG";

    /**
     * A function with its arguments.
     *
     * @param arguments of LAG and LEAD: the value, the distance, and perhaps the default
     * @param type of its value
     */
    public record Bound(OverFunction function, List<Expr> arguments, Type type) {}

    private final Binding binding;
    private final Conversions conversions;
    private final Calls calls;

    public OverFunctions(Binding binding) {
        this.binding = binding;
        conversions = new Conversions(binding);
        calls = new Calls(binding, conversions);
    }

    /** Returns the arguments of a call that stands alone. */
    public List<Expr> arguments(SqlCall call, ExpressionBinder binder) {
        FunctionDef def = Calls.def(call).orElseThrow();
        return calls.bind(call, def, binder.operands(call.getOperandList())).arguments();
    }

    /** Binds the function that stands before OVER. */
    public Bound bind(SqlNode before, ExpressionBinder binder) {
        if (before.getKind() == SqlKind.FILTER) {
            throw binding.notSupported(
                    before, "FILTER before OVER", "aggregate CASE WHEN … THEN … END");
        } else if (!(before instanceof SqlCall call)) {
            throw binding.notSupported(before, binding.quote(before) + " before OVER", TAKEN);
        } else {
            return bind(call, binder);
        }
    }

    private Bound bind(SqlCall call, ExpressionBinder binder) {
        Unsupported.check(binding, call);
        FunctionDef def =
                Calls.def(call)
                        .orElseThrow(
                                () ->
                                        binding.notSupported(
                                                call,
                                                AggregateFunctions.name(call) + " before OVER",
                                                TAKEN));
        Optional<OverFunction> function = function(def);
        if (OverWords.isAlone(call)) {
            throw binding.error(
                    ErrorCode.INVALID_QUERY,
                    call,
                    def.name() + " goes by windows, and takes no OVER",
                    Calls.formOf(def));
        } else if (function.isEmpty()) {
            throw binding.notSupported(call, def.name() + " before OVER", TAKEN);
        } else if (call.getFunctionQuantifier() != null) {
            throw binding.notSupported(call, "DISTINCT before OVER", "leave DISTINCT out");
        }
        List<Operand> operands =
                AggregateFunctions.isCountOfRows(call)
                        ? List.of()
                        : binder.operands(call.getOperandList());
        if (def.role().isAggregate()) {
            checkAggregate(call, def, operands);
        }
        Calls.Bound bound = calls.bind(call, def, operands);
        return made(function.get(), bound.arguments(), operands, call);
    }

    private void checkAggregate(SqlCall call, FunctionDef def, List<Operand> operands) {
        boolean rows = AggregateFunctions.isCountOfRows(call);
        if (operands.size() > 1 || operands.isEmpty() && !(rows && def.takesRows())) {
            throw binding.notSupported(
                    call, def.name() + " of other than one column before OVER", null);
        }
    }

    private static Optional<OverFunction> function(FunctionDef def) {
        Optional<Meaning.Over> own = def.meaning(Meaning.Over.class);
        return own.isPresent()
                ? own.map(Meaning.Over::function)
                : Arrays.stream(OverFunction.values())
                        .filter(f -> f.name().equals(def.name()))
                        .findFirst();
    }

    private Bound made(
            OverFunction function, List<Expr> arguments, List<Operand> operands, SqlCall call) {
        return switch (function) {
            case ROW_NUMBER, RANK, DENSE_RANK, COUNT -> new Bound(function, arguments, Type.BIGINT);
            case LAG, LEAD -> shift(function, arguments, operands, call);
            case AVG, STDDEV, STDDEV_POP, VARIANCE, VAR_POP ->
                    new Bound(function, arguments, Type.DOUBLE.orNull());
            default -> new Bound(function, arguments, arguments.get(0).type().orNull());
        };
    }

    private Bound shift(
            OverFunction function, List<Expr> arguments, List<Operand> operands, SqlCall call) {
        Kind kind = arguments.get(0).type().kind();
        List<Expr> all = new ArrayList<>();
        all.add(arguments.get(0));
        all.add(arguments.size() > 1 ? arguments.get(1) : Literal.of(1L));
        boolean nullable = true;
        if (arguments.size() > 2) {
            Expr other =
                    conversions
                            .convert(operands.get(2), kind)
                            .orElseThrow(
                                    () ->
                                            binding.mismatch(
                                                    operands.get(2).node(),
                                                    "the default of "
                                                            + function
                                                            + " is of the kind of its value, "
                                                            + kind,
                                                    Calls.formOf(Calls.def(call).orElseThrow())));
            all.add(other);
            nullable = arguments.get(0).type().nullable() || other.type().nullable();
        }
        return new Bound(function, all, new Type(kind, nullable));
    }
}
