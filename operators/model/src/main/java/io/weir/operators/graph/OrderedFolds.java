package io.weir.operators.graph;

import static io.weir.operators.graph.Functions.call;

import io.weir.operators.graph.Expr.Literal;
import io.weir.operators.graph.Expr.Variable;
import io.weir.operators.graph.Fold.Assignment;
import io.weir.operators.graph.Fold.StateWord;
import java.util.List;

/**
 * Folds whose result depends on the order of packets. They need the 5-tuple in the key, have no
 * merge, and begin again in each window.
 */
public final class OrderedFolds {
    private static final StateWord SEEN = new StateWord("seen", Kind.BIGINT, Literal.of(0L));
    private static final Assignment NOW_SEEN = new Assignment("seen", Literal.of(1L));

    private OrderedFolds() {}

    /** FIRST(x): the earliest in order of arrival; NULL when there was none. */
    public static Fold first(Kind kind) {
        StateWord first = zero("first", kind);
        Variable x = argument("x", kind);
        Expr kept = call("CASE", nothingYet(), x, first.mine());
        return fold(
                "FIRST",
                List.of(x),
                List.of(first, SEEN),
                List.of(new Assignment("first", kept), NOW_SEEN),
                orNull(first.mine()));
    }

    /** LAST(x): the latest in order of arrival; NULL when there was none. */
    public static Fold last(Kind kind) {
        StateWord last = zero("last", kind);
        Variable x = argument("x", kind);
        return fold(
                "LAST",
                List.of(x),
                List.of(last, SEEN),
                List.of(new Assignment("last", x), NOW_SEEN),
                orNull(last.mine()));
    }

    /**
     * EWMA(x, α): e ← (1 − α)·e + α·x, where the first x is e itself; NULL when there was none.
     * Marple's latency fold.
     */
    public static Fold ewma() {
        StateWord mean = zero("mean", Kind.DOUBLE);
        Variable x = argument("x", Kind.DOUBLE);
        Variable alpha = argument("alpha", Kind.DOUBLE);
        Expr old = call("*", call("-", Literal.of(1.0), alpha), mean.mine());
        Expr next = call("+", old, call("*", alpha, x));
        Expr value = call("CASE", nothingYet(), x, next);
        return fold(
                "EWMA",
                List.of(x, alpha),
                List.of(mean, SEEN),
                List.of(new Assignment("mean", value), NOW_SEEN),
                orNull(mean.mine()));
    }

    /**
     * NON_MONOTONIC(x): the number of x that are less than the greatest before them. This is
     * Marple's TCP non-monotonic. It compares with the maximum and not with the packet before.
     */
    public static Fold nonMonotonic() {
        StateWord greatest = new StateWord("greatest", Kind.BIGINT, Literal.of(Long.MIN_VALUE));
        StateWord below = zero("below", Kind.BIGINT);
        Variable x = argument("x", Kind.BIGINT);
        Expr isBelow = call("<", x, greatest.mine());
        return fold(
                "NON_MONOTONIC",
                List.of(x),
                List.of(greatest, below),
                List.of(
                        new Assignment("greatest", call("CASE", isBelow, greatest.mine(), x)),
                        counted(below, isBelow)),
                below.mine());
    }

    /**
     * OUT_OF_SEQUENCE(x, next): the number of x that are not the {@code next} of the row before.
     * The first row sets the expectation and does not count. This is Marple's TCP out of sequence.
     */
    public static Fold outOfSequence() {
        StateWord expected = zero("expected", Kind.BIGINT);
        StateWord out = zero("out", Kind.BIGINT);
        Variable x = argument("x", Kind.BIGINT);
        Variable next = argument("next", Kind.BIGINT);
        Expr isOut = call("AND", notTheFirst(), call("<>", x, expected.mine()));
        return fold(
                "OUT_OF_SEQUENCE",
                List.of(x, next),
                List.of(expected, out, SEEN),
                List.of(new Assignment("expected", next), counted(out, isOut), NOW_SEEN),
                out.mine());
    }

    /**
     * GAPS(t, δ): the number of t that were more than δ after the t before. Flowlets are GAPS + 1.
     */
    public static Fold gaps() {
        StateWord before = zero("before", Kind.TIMESTAMP);
        StateWord gaps = zero("gaps", Kind.BIGINT);
        Variable t = argument("t", Kind.TIMESTAMP);
        Variable delta = argument("delta", Kind.INTERVAL);
        Expr isGap = call("AND", notTheFirst(), call(">", call("-", t, before.mine()), delta));
        return fold(
                "GAPS",
                List.of(t, delta),
                List.of(before, gaps, SEEN),
                List.of(new Assignment("before", t), counted(gaps, isGap), NOW_SEEN),
                gaps.mine());
    }

    private static Assignment counted(StateWord count, Expr when) {
        Expr more = call("+", count.mine(), Literal.of(1L));
        return new Assignment(count.name(), call("CASE", when, more, count.mine()));
    }

    private static Expr nothingYet() {
        return call("=", SEEN.mine(), Literal.of(0L));
    }

    private static Expr notTheFirst() {
        return call(">", SEEN.mine(), Literal.of(0L));
    }

    private static Expr orNull(Expr value) {
        return call("CASE", nothingYet(), Literal.nullOf(value.type().kind()), value);
    }

    private static StateWord zero(String name, Kind kind) {
        Object zero =
                switch (kind) {
                    case DOUBLE -> 0.0;
                    case BOOLEAN -> false;
                    default -> 0L;
                };
        return new StateWord(name, kind, new Literal(zero, new Type(kind, false)));
    }

    private static Variable argument(String name, Kind kind) {
        return new Variable(Expr.Scope.ARGUMENT, name, new Type(kind, false));
    }

    private static Fold fold(
            String name,
            List<Variable> arguments,
            List<StateWord> state,
            List<Assignment> update,
            Expr result) {
        return new Fold(name, arguments, state, update, List.of(), result, true);
    }
}
