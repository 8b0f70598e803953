package io.weir.sql.validate;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Expr.Literal;
import io.weir.operators.graph.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlNode;

/** Binds functions of SQL by functions of the graph. */
final class ScalarFunctions {
    private interface Meaning {
        Expr of(SqlCall call, List<Operand> arguments);
    }

    private record Entry(int least, int most, Meaning meaning) {}

    private final Binding binding;
    private final Conversions conversions;
    private final Arithmetic arithmetic;
    private final Casts casts;
    private final Map<String, Entry> table = new TreeMap<>();

    ScalarFunctions(Binding binding, Conversions conversions, Conditionals conditionals) {
        this.binding = binding;
        this.conversions = conversions;
        arithmetic = new Arithmetic(binding, conversions);
        casts = new Casts(binding, conversions);
        AddressFunctions addresses = new AddressFunctions(binding, conversions);
        for (String operator : List.of("+", "-", "*", "/", "%", "<<", ">>")) {
            define(operator, 1, 2, (call, a) -> operator(call, operator, a));
        }
        define("mod", 2, 2, (call, a) -> arithmetic.binary(call, "%", a.get(0), a.get(1)));
        for (String bits : List.of("bitand", "bitor", "bitxor")) {
            define(bits, 2, 2, (call, a) -> all(call, bits, Kind.BIGINT, a));
        }
        define("bitnot", 1, 1, (call, a) -> all(call, "bitnot", Kind.BIGINT, a));
        for (String real : List.of("sqrt", "ln", "log2", "exp")) {
            define(real, 1, 1, (call, a) -> all(call, real, Kind.DOUBLE, a));
        }
        define("power", 2, 2, (call, a) -> all(call, "power", Kind.DOUBLE, a));
        define("abs", 1, 1, this::abs);
        define("floor", 1, 1, (call, a) -> whole(call, a, x -> binding.call(call, "floor", x)));
        define("ceil", 1, 1, (call, a) -> whole(call, a, x -> binding.call(call, "ceil", x)));
        define("ceiling", 1, 1, (call, a) -> whole(call, a, x -> binding.call(call, "ceil", x)));
        define("round", 1, 2, this::round);
        define("nanoseconds", 1, 1, this::nanoseconds);
        define("in_subnet", 2, 2, addresses::inSubnet);
        define("family", 1, 1, addresses::family);
        define("coalesce", 1, Integer.MAX_VALUE, conditionals::coalesce);
        define("nullif", 2, 2, conditionals::nullIf);
        define("greatest", 1, 32, (call, a) -> conditionals.extreme(call, ">=", a));
        define("least", 1, 32, (call, a) -> conditionals.extreme(call, "<=", a));
    }

    private void define(String name, int least, int most, Meaning meaning) {
        table.put(name, new Entry(least, most, meaning));
    }

    Expr call(SqlCall call, ExpressionBinder binder) {
        if (casts.isOne(call)) {
            return casts.cast(call, binder);
        }
        String name = call.getOperator().getName().toLowerCase(Locale.ROOT);
        Entry entry = table.get(name);
        if (entry == null) {
            throw unknown(call, name);
        } else if (call.getFunctionQuantifier() != null) {
            throw binding.error(
                    ErrorCode.INVALID_QUERY,
                    call,
                    "DISTINCT belongs to aggregates, not to " + name);
        }
        int given = call.operandCount();
        if (given < entry.least() || given > entry.most()) {
            throw binding.error(
                    ErrorCode.INVALID_QUERY,
                    call,
                    name.toUpperCase(Locale.ROOT) + " does not take " + given + " arguments",
                    "its form is " + FunctionList.form(name));
        }
        return entry.meaning().of(call, binder.operands(call.getOperandList()));
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

    /** Binds a function whose arguments are all of one kind. */
    private Expr all(SqlCall call, String function, Kind kind, List<Operand> arguments) {
        List<Expr> converted = new ArrayList<>();
        for (Operand argument : arguments) {
            converted.add(converted(call, argument, kind));
        }
        return binding.call(call, function, converted.toArray(Expr[]::new));
    }

    private Expr converted(SqlCall call, Operand argument, Kind kind) {
        return conversions
                .convert(argument, kind)
                .orElseThrow(() -> mismatch(call, argument, kind.name()));
    }

    private RuntimeException mismatch(SqlNode at, Operand argument, String wanted) {
        String name = ((SqlCall) at).getOperator().getName().toUpperCase(Locale.ROOT);
        return binding.mismatch(
                argument.node(),
                name + " takes " + wanted + ", not " + argument.kindName(),
                "its form is " + FunctionList.form(name));
    }

    private Expr abs(SqlCall call, List<Operand> a) {
        Operand value = a.get(0);
        if (!value.kind().isNumeric() && value.kind() != Kind.INTERVAL) {
            throw mismatch(call, value, "a number or an interval");
        }
        return binding.call(call, "abs", value.expr());
    }

    private Expr whole(SqlCall call, List<Operand> a, UnaryOperator<Expr> ofReal) {
        Operand value = a.get(0);
        if (!value.kind().isNumeric()) {
            throw mismatch(call, value, "a number");
        }
        return value.kind() == Kind.BIGINT ? value.expr() : ofReal.apply(value.expr());
    }

    /** With a number of digits the result is a DOUBLE, otherwise whole. */
    private Expr round(SqlCall call, List<Operand> a) {
        if (a.size() == 1) {
            return whole(call, a, value -> binding.call(call, "round", value, Literal.of(0L)));
        }
        Expr digits = converted(call, a.get(1), Kind.BIGINT);
        return binding.call(call, "round", converted(call, a.get(0), Kind.DOUBLE), digits);
    }

    private Expr nanoseconds(SqlCall call, List<Operand> a) {
        Operand value = a.get(0);
        if (value.kind() != Kind.TIMESTAMP && value.kind() != Kind.INTERVAL) {
            throw mismatch(call, value, "a time or an interval");
        }
        return binding.call(call, "nanoseconds", value.expr());
    }
}
