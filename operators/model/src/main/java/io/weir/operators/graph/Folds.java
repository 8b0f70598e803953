package io.weir.operators.graph;

import static io.weir.operators.graph.Functions.call;

import io.weir.operators.graph.Expr.Literal;
import io.weir.operators.graph.Fold.Assignment;
import io.weir.operators.graph.Fold.StateWord;
import java.util.ArrayList;
import java.util.List;

/** The built-in aggregates. */
public final class Folds {
    private static final String HIGH = "high";

    private Folds() {}

    /** COUNT(*) without arguments; with them, counts the packets whose arguments are not NULL. */
    public static Fold count(Kind... arguments) {
        StateWord count = zero("count", Kind.BIGINT);
        Expr next = call("+", count.mine(), Literal.of(1L));
        return commutative(
                "COUNT",
                arguments(arguments),
                List.of(count),
                List.of(new Assignment("count", next)),
                List.of(added(count)),
                count.mine());
    }

    /** SUM over BIGINT, DOUBLE or INTERVAL; NULL when nothing was summed. */
    public static Fold sum(Kind kind) {
        StateWord sum = zero("sum", kind);
        StateWord count = zero("count", Kind.BIGINT);
        List<Expr.Variable> arguments = arguments(kind);
        return commutative(
                "SUM",
                arguments,
                List.of(sum, count),
                List.of(
                        new Assignment("sum", call("+", sum.mine(), arguments.get(0))),
                        new Assignment("count", call("+", count.mine(), Literal.of(1L)))),
                List.of(added(sum), added(count)),
                orNull(count, sum.mine()));
    }

    /**
     * SUM for groups that cannot be empty: its argument is not NULL and each row of the group
     * counts. It needs one word of state in place of two.
     */
    public static Fold sumOfSome(Kind kind) {
        StateWord sum = zero("sum", kind);
        List<Expr.Variable> arguments = arguments(kind);
        return commutative(
                "SUM",
                arguments,
                List.of(sum),
                List.of(new Assignment("sum", call("+", sum.mine(), arguments.get(0)))),
                List.of(added(sum)),
                sum.mine());
    }

    /**
     * SUM over BIGINT or INTERVAL that may leave 64 bits; NULL then, and when nothing was summed.
     *
     * <p>A second word holds the sum of the values' upper halves, beside the sum, which wraps. The
     * upper half of the true sum is at least that second sum. It exceeds it by less than one for
     * each value. This also holds for the upper half of the kept sum, if it did not wrap. A wrap
     * moves it by 2^32, and no group has so many values.
     */
    public static Fold sumOfWide(Kind kind) {
        return new WideSum(kind).fold(arguments(kind), false);
    }

    /**
     * SUM over values that may have left 64 bits themselves: the second argument is then 1,
     * otherwise 0.
     */
    public static Fold sumOfWrapping(Kind kind) {
        return new WideSum(kind).fold(arguments(kind, Kind.BIGINT), true);
    }

    /** The words of a sum that may leave 64 bits. */
    private record WideSum(StateWord sum, StateWord high, StateWord count, StateWord wrapped) {
        WideSum(Kind kind) {
            this(
                    zero("sum", kind),
                    zero(HIGH, Kind.BIGINT),
                    zero("count", Kind.BIGINT),
                    zero("wrapped", Kind.BIGINT));
        }

        Fold fold(List<Expr.Variable> arguments, boolean wraps) {
            List<StateWord> state = new ArrayList<>(List.of(sum, high, count));
            List<Assignment> update = new ArrayList<>();
            update.add(more(sum, arguments.get(0)));
            update.add(more(high, upper(arguments.get(0))));
            update.add(more(count, Literal.of(1L)));
            if (wraps) {
                state.add(wrapped);
                update.add(more(wrapped, arguments.get(1)));
            }
            Expr whole = call("CASE", holds(wraps), sum.mine(), Literal.nullOf(sum.kind()));
            List<Assignment> merge = state.stream().map(Folds::added).toList();
            return commutative("SUM", arguments, state, update, merge, whole);
        }

        private Expr holds(boolean wraps) {
            Expr above = call("-", upper(sum.mine()), high.mine());
            Expr least = call(">=", above, Literal.of(0L));
            Expr most = call("<", above, count.mine());
            return wraps
                    ? call("AND", least, most, isZero(wrapped.mine()))
                    : call("AND", least, most);
        }

        private static Assignment more(StateWord word, Expr added) {
            return new Assignment(word.name(), call("+", word.mine(), added));
        }
    }

    private static Expr upper(Expr value) {
        boolean whole = value.type().kind() == Kind.BIGINT;
        return call(">>", whole ? value : call("nanoseconds", value), Literal.of(32L));
    }

    /** Returns whether it is a {@link #sumOfWide} or a {@link #sumOfWrapping}. */
    public static boolean isSumOfWide(Fold fold) {
        return fold.name().equals("SUM")
                && fold.state().stream().anyMatch(w -> w.name().equals(HIGH));
    }

    /**
     * The part of the left-out weight that a group did not miss, because it was there all the time.
     * No packet changes this word. The code that takes light groups out of a table adds to it.
     */
    public static Fold credit() {
        StateWord credit = zero("credit", Kind.BIGINT);
        return commutative(
                "CREDIT",
                List.of(),
                List.of(credit),
                List.of(),
                List.of(added(credit)),
                credit.mine());
    }

    /** AVG over BIGINT or DOUBLE, as DOUBLE; NULL without values. */
    public static Fold avg(Kind kind) {
        Fold sum = sum(kind);
        Expr total = sum.state().get(0).mine();
        Expr asDouble = kind == Kind.DOUBLE ? total : call("to_double", total);
        StateWord count = sum.state().get(1);
        Expr mean = call("/", asDouble, call("to_double", count.mine()));
        return commutative("AVG", sum.arguments(), sum.state(), sum.update(), sum.merge(), mean);
    }

    /**
     * AVG over BIGINT whose sum may pass 64 bits. A sum of times in nanoseconds does so with six
     * packets. The halves of values are summed separately, so that 2^31 of them may come.
     */
    public static Fold avgOfWide() {
        StateWord high = zero(HIGH, Kind.BIGINT);
        StateWord low = zero("low", Kind.BIGINT);
        StateWord count = zero("count", Kind.BIGINT);
        List<Expr.Variable> arguments = arguments(Kind.BIGINT);
        Expr upper = call(">>", arguments.get(0), Literal.of(32L));
        Expr lower = call("bitand", arguments.get(0), Literal.of(0xFFFF_FFFFL));
        Expr sum =
                call(
                        "+",
                        call("*", call("to_double", high.mine()), Literal.of(0x1p32)),
                        call("to_double", low.mine()));
        return commutative(
                "AVG",
                arguments,
                List.of(high, low, count),
                List.of(
                        new Assignment(HIGH, call("+", high.mine(), upper)),
                        new Assignment("low", call("+", low.mine(), lower)),
                        new Assignment("count", call("+", count.mine(), Literal.of(1L)))),
                List.of(added(high), added(low), added(count)),
                call("/", sum, call("to_double", count.mine())));
    }

    /** The least value; NULL when there was none. */
    public static Fold min(Kind kind) {
        return extreme("MIN", kind, "<");
    }

    /** The greatest value; NULL when there was none. */
    public static Fold max(Kind kind) {
        return extreme("MAX", kind, ">");
    }

    private static Fold extreme(String name, Kind kind, String better) {
        StateWord best = zero("best", kind);
        StateWord count = zero("count", Kind.BIGINT);
        List<Expr.Variable> arguments = arguments(kind);
        Expr argument = arguments.get(0);
        return commutative(
                name,
                arguments,
                List.of(best, count),
                List.of(
                        new Assignment(
                                "best",
                                choose(isZero(count.mine()), better, argument, best.mine())),
                        new Assignment("count", call("+", count.mine(), Literal.of(1L)))),
                List.of(new Assignment("best", mergedExtreme(better, best, count)), added(count)),
                orNull(count, best.mine()));
    }

    private static Expr mergedExtreme(String better, StateWord best, StateWord count) {
        Expr otherIsEmpty = isZero(count.other());
        Expr kept = choose(isZero(count.mine()), better, best.other(), best.mine());
        return call("CASE", otherIsEmpty, best.mine(), kept);
    }

    /**
     * Chooses the candidate when there is no value yet or when it is better than the present one.
     */
    private static Expr choose(Expr nothingYet, String better, Expr candidate, Expr current) {
        Expr take = call("OR", nothingYet, call(better, candidate, current));
        if (current.type().kind() == Kind.DOUBLE) {
            // A NaN is neither less nor greater than anything. It must not stay, whether it came
            // first or last.
            take = call("OR", take, call("<>", current, current));
        }
        return call("CASE", take, candidate, current);
    }

    private static Expr isZero(Expr count) {
        return call("=", count, Literal.of(0L));
    }

    private static Expr orNull(StateWord count, Expr value) {
        return call("CASE", isZero(count.mine()), Literal.nullOf(value.type().kind()), value);
    }

    private static Assignment added(StateWord word) {
        return new Assignment(word.name(), call("+", word.mine(), word.other()));
    }

    private static StateWord zero(String name, Kind kind) {
        Object zero = kind == Kind.DOUBLE ? (Object) 0.0 : (Object) 0L;
        return new StateWord(name, kind, new Literal(zero, new Type(kind, false)));
    }

    private static List<Expr.Variable> arguments(Kind... kinds) {
        Expr.Variable[] variables = new Expr.Variable[kinds.length];
        for (int i = 0; i < kinds.length; i++) {
            variables[i] =
                    new Expr.Variable(Expr.Scope.ARGUMENT, "a" + i, new Type(kinds[i], false));
        }
        return List.of(variables);
    }

    private static Fold commutative(
            String name,
            List<Expr.Variable> arguments,
            List<StateWord> state,
            List<Assignment> update,
            List<Assignment> merge,
            Expr result) {
        return new Fold(name, arguments, state, update, merge, result, false);
    }
}
