package io.weir.sql.validate;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.function.FunctionDef;
import io.weir.operators.function.Role;
import io.weir.operators.graph.Expr;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIntervalQualifier;
import org.apache.calcite.sql.SqlNode;

/** Binds operators, forms of the language, and functions that have a value of one row. */
final class ScalarFunctions {
    /** A form of the language. */
    private interface Meaning {
        Expr of(SqlCall call, List<Operand> arguments);
    }

    private final Binding binding;
    private final Arithmetic arithmetic;
    private final Casts casts;
    private final Calls calls;
    private final Map<String, Meaning> forms = new HashMap<>();

    ScalarFunctions(
            Binding binding,
            Conversions conversions,
            Conditionals conditionals,
            Magnitude magnitude) {
        this.binding = binding;
        arithmetic = new Arithmetic(binding, conversions, magnitude);
        casts = new Casts(binding, conversions);
        calls = new Calls(binding, conversions);
        for (String operator : List.of("+", "-", "*", "/", "%", "<<", ">>")) {
            define(operator, (call, a) -> operator(call, operator, a));
        }
        define("mod", (call, a) -> arithmetic.binary(call, "%", a.get(0), a.get(1)));
        define("coalesce", conditionals::coalesce);
        define("nullif", conditionals::nullIf);
        define("greatest", (call, a) -> conditionals.extreme(call, ">=", a));
        define("least", (call, a) -> conditionals.extreme(call, "<=", a));
    }

    private void define(String name, Meaning meaning) {
        forms.put(name, meaning);
    }

    Expr call(SqlCall call, ExpressionBinder binder) {
        if (casts.isOne(call)) {
            return casts.cast(call, binder);
        }
        String name = call.getOperator().getName().toLowerCase(Locale.ROOT);
        Optional<FunctionDef> def = Calls.def(call).filter(d -> d.role() == Role.SCALAR);
        Meaning form = forms.get(name);
        if (form == null && def.map(FunctionDef::isSyntax).orElse(true)) {
            throw unknown(call, name);
        } else if (call.getFunctionQuantifier() != null) {
            throw binding.error(
                    ErrorCode.INVALID_QUERY,
                    call,
                    "DISTINCT belongs to aggregates, not to " + name);
        }
        List<Operand> operands = operands(call, binder);
        if (form == null) {
            return arithmetic.checked(call, calls.row(call, def.get(), operands));
        }
        def.ifPresent(d -> calls.checkCount(call, d, operands.size()));
        return form.of(call, operands);
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
        if (name.matches("(session|cumulate)(_start|_end)?")) {
            String window = name.replaceFirst("_.*", "").toUpperCase(Locale.ROOT);
            return binding.notSupported(call, "a " + window + " window", "TUMBLE and HOP are");
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
