package io.weir.operators.function;

import static io.weir.operators.graph.Functions.call;

import io.weir.operators.function.Meaning.Folding;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Expr.Literal;
import io.weir.operators.graph.Expr.Scope;
import io.weir.operators.graph.Expr.Variable;
import io.weir.operators.graph.Fold;
import io.weir.operators.graph.Fold.Assignment;
import io.weir.operators.graph.Fold.StateWord;
import io.weir.operators.graph.Function;
import io.weir.operators.graph.Functions;
import io.weir.operators.graph.Inet;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * ARG_MAX and ARG_MIN: the value of the row in which another is greatest, or least. The least value
 * counts if there are several such rows. So the order of rows and merges changes nothing.
 */
public final class ArgLibrary implements FunctionLibrary {
    private static final Function FAMILY =
            Function.strict("inet_family", Kind.BIGINT, "$0f", a -> family(a), Kind.INET);
    private static final Function HIGH =
            Function.strict("inet_high", Kind.BIGINT, "$0h", a -> ((Inet) a[0]).high(), Kind.INET);
    private static final Function LOW =
            Function.strict("inet_low", Kind.BIGINT, "$0l", a -> ((Inet) a[0]).low(), Kind.INET);
    private static final Function ADDRESS =
            Function.strict(
                    "inet_of",
                    Kind.INET,
                    "$0|$1|$2",
                    a -> new Inet(((Long) a[0]).intValue(), (Long) a[1], (Long) a[2]),
                    Kind.BIGINT,
                    Kind.BIGINT,
                    Kind.BIGINT);

    private static final StateWord SEEN = new StateWord("seen", Kind.BIGINT, Literal.of(0L));

    @Override
    public String topic() {
        return "Values of the extreme row";
    }

    @Override
    public Optional<Function> part(String name) {
        return Stream.of(FAMILY, HIGH, LOW, ADDRESS)
                .filter(function -> function.name().equals(name))
                .findFirst();
    }

    @Override
    public List<FunctionDef> functions() {
        return List.of(
                def("ARG_MAX", ">", "greatest")
                        .example("ARG_MAX(tcp_seq, bytes)", "1001")
                        .example("ARG_MAX(ts, tcp_seq)", "2026-11-20 13:45:01.75")
                        .build(),
                def("ARG_MIN", "<", "least").example("ARG_MIN(tcp_seq, bytes)", "3921").build());
    }

    /** The fold of the value in the row with the latest time; of a value and a time. */
    public static Fold latest(List<Expr> arguments) {
        return fold("ARG_MAX", ">", arguments);
    }

    private static FunctionBuilder def(String name, String better, String extreme) {
        Parameter value =
                Parameter.of(
                        "x",
                        Kind.BIGINT,
                        Kind.DOUBLE,
                        Kind.TIMESTAMP,
                        Kind.INTERVAL,
                        Kind.MACADDR,
                        Kind.INET);
        Parameter by =
                Parameter.of(
                        "y", Kind.BIGINT, Kind.DOUBLE, Kind.TIMESTAMP, Kind.INTERVAL, Kind.MACADDR);
        return FunctionBuilder.of(name, Role.AGGREGATE)
                .form(name + "(x, y)", "the x where y is " + extreme + "; ties: the least x")
                .group((a, facts) -> new Folding(fold(name, better, a), a), value, by)
                .distinct(Distinct.CHANGES_NOTHING)
                .gives("the kind of x");
    }

    private static Object family(Object... a) {
        return (long) ((Inet) a[0]).family();
    }

    private static Fold fold(String name, String better, List<Expr> arguments) {
        Kind kind = arguments.get(0).type().kind();
        Variable x = new Variable(Scope.ARGUMENT, "x", new Type(kind, false));
        Kind ranked = arguments.get(1).type().kind();
        Variable y = new Variable(Scope.ARGUMENT, "y", new Type(ranked, false));
        StateWord best = zero("best", ranked);
        List<StateWord> value = words(kind);
        List<StateWord> state = new ArrayList<>(value);
        state.add(best);
        state.add(SEEN);
        Expr mine = whole(kind, value, StateWord::mine);
        Expr taken = takes(better, SEEN.mine(), List.of(x, y), List.of(mine, best.mine()));
        List<Assignment> update = kept(value, taken, parts(x));
        update.add(new Assignment("best", call("CASE", taken, y, best.mine())));
        update.add(new Assignment("seen", Literal.of(1L)));
        Expr other = whole(kind, value, StateWord::other);
        Expr some = call(">", SEEN.other(), Literal.of(0L));
        List<Expr> others = List.of(other, best.other());
        Expr wins = takes(better, SEEN.mine(), others, List.of(mine, best.mine()));
        Expr merges = call("AND", some, wins);
        List<Expr> otherParts = value.stream().map(word -> (Expr) word.other()).toList();
        List<Assignment> merge = kept(value, merges, otherParts);
        merge.add(new Assignment("best", call("CASE", merges, best.other(), best.mine())));
        merge.add(new Assignment("seen", call("bitor", SEEN.mine(), SEEN.other())));
        Expr none = call("=", SEEN.mine(), Literal.of(0L));
        Expr result = call("CASE", none, Literal.nullOf(kind), mine);
        return new Fold(name, List.of(x, y), state, update, merge, result, false);
    }

    /** Returns whether a candidate (its value and rank) takes the place of the one that is kept. */
    private static Expr takes(String better, Expr seen, List<Expr> candidate, List<Expr> kept) {
        Expr nothing = call("=", seen, Literal.of(0L));
        Expr wins = first(better, candidate.get(1), kept.get(1));
        Expr loses = first(better, kept.get(1), candidate.get(1));
        Expr less = first("<", candidate.get(0), kept.get(0));
        Expr ties = call("AND", Functions.call(Functions.NOT, List.of(loses)), less);
        return Functions.call(Functions.OR, List.of(nothing, wins, ties));
    }

    /** Returns whether the left comes before the right. A NaN comes after all else. */
    private static Expr first(String better, Expr left, Expr right) {
        Expr before = call(better, left, right);
        if (left.type().kind() != Kind.DOUBLE) {
            return before;
        }
        Expr real = call("AND", call("=", left, left), call("<>", right, right));
        return call("OR", before, real);
    }

    private static List<Assignment> kept(List<StateWord> words, Expr taken, List<Expr> parts) {
        List<Assignment> assignments = new ArrayList<>();
        for (int i = 0; i < words.size(); i++) {
            Expr word = call("CASE", taken, parts.get(i), words.get(i).mine());
            assignments.add(new Assignment(words.get(i).name(), word));
        }
        return assignments;
    }

    /** An address is three words. */
    private static List<StateWord> words(Kind kind) {
        return kind == Kind.INET
                ? List.of(
                        new StateWord("family", Kind.BIGINT, Literal.of(4L)),
                        zero("high", Kind.BIGINT),
                        zero("low", Kind.BIGINT))
                : List.of(zero("value", kind));
    }

    private static Expr whole(
            Kind kind, List<StateWord> words, java.util.function.Function<StateWord, Expr> whose) {
        List<Expr> parts = words.stream().map(whose).toList();
        return kind == Kind.INET ? Functions.call(ADDRESS, parts) : parts.get(0);
    }

    private static List<Expr> parts(Expr x) {
        return x.type().kind() == Kind.INET
                ? Stream.of(FAMILY, HIGH, LOW)
                        .map(word -> (Expr) Functions.call(word, List.of(x)))
                        .toList()
                : List.of(x);
    }

    private static StateWord zero(String name, Kind kind) {
        Object zero = kind == Kind.DOUBLE ? (Object) 0.0 : (Object) 0L;
        return new StateWord(name, kind, new Literal(zero, new Type(kind, false)));
    }
}
