package io.weir.operators.function;

import io.weir.operators.graph.Code;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Expr.Literal;
import io.weir.operators.graph.Function;
import io.weir.operators.graph.Functions;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.Logarithm;
import io.weir.operators.graph.Rounding;
import java.util.List;
import java.util.Locale;

/** Functions of numbers. */
public final class NumberLibrary implements FunctionLibrary {
    private static final Function SQRT = real("sqrt", Code.call(Math.class, "sqrt", "$0"));
    private static final Function LN = real("ln", Code.call(Math.class, "log", "$0"));
    private static final Function LOG2 = real("log2", Code.call(Logarithm.class, "base2", "$0"));
    private static final Function EXP = real("exp", Code.call(Math.class, "exp", "$0"));
    private static final Function FLOOR = real("floor", Code.call(Math.class, "floor", "$0"));
    private static final Function CEIL = real("ceil", Code.call(Math.class, "ceil", "$0"));
    private static final Function POWER =
            Function.strict(
                    "power",
                    Kind.DOUBLE,
                    Code.call(Math.class, "pow", "$0", "$1"),
                    null,
                    Kind.DOUBLE,
                    Kind.DOUBLE);
    private static final Function ROUND =
            Function.strict(
                    "round",
                    Kind.DOUBLE,
                    Code.call(Rounding.class, "round", "$0", "$1"),
                    null,
                    Kind.DOUBLE,
                    Kind.BIGINT);

    private static final Parameter NUMBER = Parameter.of("x", Kind.BIGINT, Kind.DOUBLE);
    private static final String OF_X = "the kind of x";

    private static Function real(String name, String code) {
        return Function.strict(name, Kind.DOUBLE, code, null, Kind.DOUBLE);
    }

    @Override
    public String topic() {
        return "Numbers";
    }

    @Override
    public List<FunctionDef> functions() {
        return List.of(
                abs(),
                FunctionBuilder.of("MOD")
                        .form("MOD(x, y)", "remainder, as x % y; NULL for y = 0")
                        .form(0, NumberLibrary::remainder, NUMBER, NUMBER)
                        .gives(Kind.BIGINT)
                        .nulls("when an argument is; for y = 0")
                        .example("MOD(bytes, 7)", "4")
                        .build(),
                real(SQRT, "square root; NaN below 0", "SQRT(16)", "4.0"),
                real(LN, "natural logarithm", "LN(1)", "0.0"),
                real(LOG2, "logarithm to base 2", "LOG2(1024)", "10.0"),
                real(EXP, "e to the power of x", "EXP(0)", "1.0"),
                FunctionBuilder.of("POWER")
                        .form("POWER(x, y)", "x to the power of y")
                        .calls(POWER, "x", "y")
                        .example("POWER(2, 10)", "1024.0")
                        .build(),
                whole("FLOOR", FLOOR)
                        .form("FLOOR(x)", "next whole number below")
                        .example("FLOOR(bytes / 7.0)", "8.0")
                        .build(),
                whole("CEIL", CEIL)
                        .alsoCalled("CEILING")
                        .form("CEIL(x)", "next whole number above; also CEILING")
                        .example("CEIL(bytes / 7.0)", "9.0")
                        .build(),
                round());
    }

    private static Expr remainder(Terms terms) {
        return terms.operator("%", terms.arguments().get(0), terms.arguments().get(1));
    }

    private static FunctionDef abs() {
        return FunctionBuilder.of("ABS")
                .form("ABS(x)", "without its sign")
                .calls("abs", Parameter.of("x", Kind.BIGINT, Kind.DOUBLE, Kind.INTERVAL))
                .gives(OF_X)
                .example("ABS(-5)", "5")
                .build();
    }

    private static FunctionDef real(Function function, String about, String sql, String value) {
        String name = function.name().toUpperCase(Locale.ROOT);
        return FunctionBuilder.of(name)
                .form(name + "(x)", about)
                .calls(function, "x")
                .example(sql, value)
                .build();
    }

    /** An integer is whole as it is. */
    private static FunctionBuilder whole(String name, Function ofReal) {
        return FunctionBuilder.of(name)
                .row(a -> isWhole(a) ? a.get(0) : Functions.call(ofReal, a), NUMBER)
                .code(ofReal)
                .gives(OF_X);
    }

    private static boolean isWhole(List<Expr> arguments) {
        return arguments.get(0).type().kind() == Kind.BIGINT;
    }

    private static FunctionDef round() {
        return FunctionBuilder.of("ROUND")
                .form("ROUND(x), ROUND(x, digits)", "the nearest; halves away from zero")
                .row(
                        a ->
                                isWhole(a)
                                        ? a.get(0)
                                        : Functions.call(ROUND, List.of(a.get(0), Literal.of(0L))),
                        NUMBER)
                .row(
                        a -> Functions.call(ROUND, a),
                        Parameter.of("x", Kind.DOUBLE),
                        Parameter.of("digits", Kind.BIGINT))
                .code(ROUND)
                .gives("the kind of x, with digits DOUBLE")
                .example("ROUND(2.5)", "3.0")
                .example("ROUND(3.14159, 2)", "3.14")
                .build();
    }
}
