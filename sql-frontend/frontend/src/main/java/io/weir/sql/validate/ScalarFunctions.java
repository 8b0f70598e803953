package io.weir.sql.validate;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.function.FunctionDef;
import io.weir.operators.function.Magnitude;
import io.weir.operators.function.Meaning;
import io.weir.operators.function.Role;
import io.weir.operators.graph.Expr;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIntervalQualifier;
import org.apache.calcite.sql.SqlNode;

/** Binds operators of arithmetic, CAST, and functions that have a value of one row. */
final class ScalarFunctions {
    private static final Set<String> OPERATORS = Set.of("+", "-", "*", "/", "%", "<<", ">>");

    private final Binding binding;
    private final Conversions conversions;
    private final Comparisons comparisons;
    private final Arithmetic arithmetic;
    private final Casts casts;
    private final Calls calls;

    ScalarFunctions(
            Binding binding,
            Conversions conversions,
            Comparisons comparisons,
            Magnitude magnitude) {
        this.binding = binding;
        this.conversions = conversions;
        this.comparisons = comparisons;
        arithmetic = new Arithmetic(binding, conversions, magnitude);
        casts = new Casts(binding, conversions);
        calls = new Calls(binding, conversions);
    }

    Expr call(SqlCall call, ExpressionBinder binder) {
        if (casts.isOne(call)) {
            return casts.cast(call, binder);
        }
        String name = call.getOperator().getName().toLowerCase(Locale.ROOT);
        if (OPERATORS.contains(name)) {
            return operator(call, name, operands(call, binder));
        }
        Calls.def(call)
                .filter(def -> def.role() == Role.OVER)
                .ifPresent(
                        over -> {
                            throw binding.error(
                                    ErrorCode.INVALID_QUERY,
                                    call,
                                    over.name() + " needs OVER",
                                    Calls.formOf(over));
                        });
        FunctionDef def =
                Calls.def(call)
                        .filter(d -> d.role() == Role.SCALAR)
                        .orElseThrow(() -> unknown(call, name));
        if (call.getFunctionQuantifier() != null) {
            throw binding.error(
                    ErrorCode.INVALID_QUERY,
                    call,
                    "DISTINCT belongs to aggregates, not to " + name);
        }
        List<Operand> operands = operands(call, binder);
        Optional<Meaning.Form> form = def.meaning(Meaning.Form.class);
        if (form.isEmpty()) {
            return arithmetic.checked(call, calls.row(call, def, operands));
        }
        calls.checkCount(call, def, operands.size());
        return form.get()
                .maker()
                .make(new CallTerms(binding, conversions, comparisons, arithmetic, call, operands));
    }

    /** A unit of time is a text to a function. */
    private static List<Operand> operands(SqlCall call, ExpressionBinder binder) {
        List<Operand> operands = new ArrayList<>();
        for (SqlNode node : call.getOperandList()) {
            operands.add(
                    node instanceof SqlIntervalQualifier unit
                            ? new Operand(Parameters.string(unit.toString()), unit)
                            : binder.operand(node));
        }
        return operands;
    }

    private RuntimeException unknown(SqlCall call, String name) {
        boolean word = Character.isLetter(name.charAt(0));
        if (!word) {
            return binding.notSupported(call, "the operator " + name, Spelling.ofOperator(name));
        }
        if (name.matches("cumulate(_start|_end)?")) {
            String window = name.replaceFirst("_.*", "").toUpperCase(Locale.ROOT);
            return binding.notSupported(call, "a " + window + " window", WindowBounds.supported());
        }
        if (name.indexOf(' ') > 0) {
            return binding.notSupported(call, name.toUpperCase(Locale.ROOT), null);
        }
        return binding.error(
                ErrorCode.UNKNOWN_FUNCTION,
                call,
                "there is no function "
                        + name.replaceFirst("_null_on_null$", "").toUpperCase(Locale.ROOT),
                Spelling.ofFunction(name));
    }

    private Expr operator(SqlCall call, String operator, List<Operand> a) {
        return a.size() == 2
                ? arithmetic.binary(call, operator, a.get(0), a.get(1))
                : arithmetic.signed(call, operator, a.get(0));
    }
}
