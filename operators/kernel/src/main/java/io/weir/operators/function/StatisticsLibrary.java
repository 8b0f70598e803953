package io.weir.operators.function;

import static io.weir.operators.graph.Functions.call;

import io.weir.operators.function.Meaning.Folding;
import io.weir.operators.graph.Code;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Expr.Literal;
import io.weir.operators.graph.Expr.Scope;
import io.weir.operators.graph.Expr.Variable;
import io.weir.operators.graph.Fold;
import io.weir.operators.graph.Fold.Assignment;
import io.weir.operators.graph.Fold.StateWord;
import io.weir.operators.graph.Function;
import io.weir.operators.graph.Functions;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.Type;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Variance and standard deviation. Integers have exact sums, and one rounding at the end, in any
 * order of rows and merges. Reals follow Welford's method, and merges follow Chan's.
 */
public final class StatisticsLibrary implements FunctionLibrary {
    private static final Expr ONE = Literal.of(1L);
    private static final Expr HALF = Literal.of(32L);
    private static final Expr LOW = Literal.of(0xFFFF_FFFFL);

    private static final Function SQUARE_HIGH =
            Function.strict(
                    "square_high",
                    Kind.BIGINT,
                    Code.call(Math.class, "multiplyHigh", "$0", "$0"),
                    a -> square((Long) a[0]).shiftRight(Long.SIZE).longValue(),
                    Kind.BIGINT);

    private static final Function VARIANCE =
            Function.strict(
                    "variance",
                    Kind.DOUBLE,
                    Code.call(
                            Moments.class,
                            "variance",
                            "$0",
                            "$1",
                            "$2",
                            "$3",
                            "$4",
                            "$5",
                            "$6",
                            "$7"),
                    StatisticsLibrary::plainVariance,
                    Collections.nCopies(8, Kind.BIGINT).toArray(Kind[]::new));

    /** A division whose divisor is known not to be 0. */
    private static final Function PER =
            Function.strict(
                    "per",
                    Kind.DOUBLE,
                    "$0 / $1",
                    a -> (Double) a[0] / (Double) a[1],
                    Kind.DOUBLE,
                    Kind.DOUBLE);

    private static final Function ROOT =
            Function.strict(
                    "sqrt", Kind.DOUBLE, Code.call(Math.class, "sqrt", "$0"), null, Kind.DOUBLE);

    @Override
    public String topic() {
        return "Statistics";
    }

    @Override
    public Optional<Function> part(String name) {
        return Stream.of(SQUARE_HIGH, VARIANCE, PER, ROOT)
                .filter(function -> function.name().equals(name))
                .findFirst();
    }

    @Override
    public List<FunctionDef> functions() {
        return List.of(
                def("STDDEV", "standard deviation of a sample", true, true)
                        .alsoCalled("STDDEV_SAMP")
                        .example("STDDEV(bytes)", "833.7001859181753")
                        .build(),
                def("STDDEV_POP", "standard deviation of all values", false, true)
                        .example("STDDEV_POP(bytes)", "722.0055401449494")
                        .build(),
                def("VARIANCE", "variance of a sample", true, false)
                        .alsoCalled("VAR_SAMP")
                        .example("VARIANCE(bytes)", "695056.0")
                        .build(),
                def("VAR_POP", "variance of all values", false, false)
                        .example("VAR_POP(bytes)", "521292.0")
                        .build());
    }

    private static FunctionBuilder def(String name, String about, boolean sample, boolean root) {
        Parameter x =
                Parameter.of("x", Kind.BIGINT, Kind.DOUBLE)
                        .hinting(Kind.INTERVAL, name + "(NANOSECONDS(x)) is");
        return FunctionBuilder.of(name, Role.AGGREGATE)
                .form(name + "(x)", about)
                .group((a, facts) -> new Folding(fold(name, a.get(0), sample, root), a), x)
                .gives(Kind.DOUBLE)
                .nulls(
                        sample
                                ? "when fewer than two rows have a value"
                                : "when no row has a value");
    }

    private static Fold fold(String name, Expr argument, boolean sample, boolean root) {
        Kind kind = argument.type().kind();
        Variable x = new Variable(Scope.ARGUMENT, "x", new Type(kind, false));
        return kind == Kind.BIGINT ? exact(name, x, sample, root) : welford(name, x, sample, root);
    }

    private static Fold exact(String name, Variable x, boolean sample, boolean root) {
        List<String> names =
                List.of("count", "sum1", "sum0", "square3", "square2", "square1", "square0");
        Expr high = Functions.call(SQUARE_HIGH, List.of(x));
        Expr low = call("*", x, x);
        List<Expr> added =
                List.of(
                        ONE,
                        call(">>", x, HALF),
                        call("bitand", x, LOW),
                        call(">>", high, HALF),
                        call("bitand", high, LOW),
                        call("bitand", call(">>", low, HALF), LOW),
                        call("bitand", low, LOW));
        List<StateWord> state = new ArrayList<>();
        List<Assignment> update = new ArrayList<>();
        List<Assignment> merge = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            StateWord word = new StateWord(names.get(i), Kind.BIGINT, Literal.of(0L));
            state.add(word);
            update.add(new Assignment(word.name(), call("+", word.mine(), added.get(i))));
            merge.add(new Assignment(word.name(), call("+", word.mine(), word.other())));
        }
        Expr count = state.get(0).mine();
        List<Expr> parts = new ArrayList<>(List.of(count, divisor(count, sample)));
        state.subList(1, state.size()).forEach(word -> parts.add(word.mine()));
        Expr variance = Functions.call(VARIANCE, parts);
        return new Fold(
                name,
                List.of(x),
                state,
                update,
                merge,
                orNull(count, sample, rooted(variance, root)),
                false);
    }

    private static Fold welford(String name, Variable x, boolean sample, boolean root) {
        StateWord count = new StateWord("count", Kind.BIGINT, Literal.of(0L));
        StateWord mean = new StateWord("mean", Kind.DOUBLE, Literal.of(0.0));
        StateWord spread = new StateWord("spread", Kind.DOUBLE, Literal.of(0.0));
        Expr more = call("+", count.mine(), ONE);
        Expr off = call("-", x, mean.mine());
        Expr next = call("+", mean.mine(), per(off, more));
        List<Assignment> update =
                List.of(
                        new Assignment(count.name(), more),
                        new Assignment(mean.name(), next),
                        new Assignment(
                                spread.name(),
                                call("+", spread.mine(), call("*", off, call("-", x, next)))));
        Expr variance = per(spread.mine(), divisor(count.mine(), sample));
        return new Fold(
                name,
                List.of(x),
                List.of(count, mean, spread),
                update,
                merged(count, mean, spread),
                orNull(count.mine(), sample, rooted(variance, root)),
                false);
    }

    /** An empty side changes nothing. */
    private static List<Assignment> merged(StateWord count, StateWord mean, StateWord spread) {
        Expr all = call("+", count.mine(), count.other());
        Expr empty = call("=", count.other(), Literal.of(0L));
        Expr off = call("-", mean.other(), mean.mine());
        Expr share = call("*", off, per(call("to_double", count.other()), all));
        Expr between = call("*", call("*", off, share), call("to_double", count.mine()));
        Expr spreads = call("+", call("+", spread.mine(), spread.other()), between);
        return List.of(
                new Assignment(count.name(), all),
                new Assignment(
                        mean.name(),
                        call("CASE", empty, mean.mine(), call("+", mean.mine(), share))),
                new Assignment(spread.name(), call("CASE", empty, spread.mine(), spreads)));
    }

    static Expr per(Expr value, Expr count) {
        return Functions.call(PER, List.of(value, call("to_double", count)));
    }

    private static Expr divisor(Expr count, boolean sample) {
        return sample ? call("-", count, ONE) : count;
    }

    static Expr rooted(Expr variance, boolean root) {
        return root ? Functions.call(ROOT, List.of(variance)) : variance;
    }

    private static Expr orNull(Expr count, boolean sample, Expr value) {
        Expr few = call("<", count, Literal.of(sample ? 2L : 1L));
        return call("CASE", few, Literal.nullOf(Kind.DOUBLE), value);
    }

    private static BigInteger square(long value) {
        return BigInteger.valueOf(value).pow(2);
    }

    private static Object plainVariance(Object... a) {
        long[] words = new long[a.length];
        for (int i = 0; i < words.length; i++) {
            words[i] = (Long) a[i];
        }
        if (words[0] <= 0 || words[1] <= 0) {
            return 0.0;
        }
        BigInteger spread =
                Moments.spread(
                        words[0], words[2], words[3], words[4], words[5], words[6], words[7]);
        return spread.doubleValue() / ((double) words[0] * words[1]);
    }
}
