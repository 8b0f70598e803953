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
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.Type;
import java.util.List;

/** The time from one packet of a flow to its next. These depend on the order of packets. */
public final class PauseLibrary implements FunctionLibrary {
    private static final String BY_FLOW = "GROUP BY src_addr, dst_addr, src_port, dst_port, proto";
    private static final Variable T = new Variable(Scope.ARGUMENT, "t", Type.TIMESTAMP);
    private static final Expr ONE = Literal.of(1L);
    private static final StateWord BEFORE = zero("before", Kind.TIMESTAMP, 0L);
    private static final StateWord COUNT = zero("count", Kind.BIGINT, 0L);
    private static final Assignment NOW = new Assignment("before", T);
    private static final Assignment COUNTED = new Assignment("count", call("+", COUNT.mine(), ONE));
    private static final Expr PAUSE = call("-", T, BEFORE.mine());

    @Override
    public String topic() {
        return "Times between packets";
    }

    @Override
    public List<FunctionDef> functions() {
        return List.of(
                def("INTERARRIVAL", "mean time between packets, by 5-tuple", mean(), "583333333"),
                def("INTERARRIVAL_MIN", "the shortest of them", extreme("<"), "250000000"),
                def("INTERARRIVAL_MAX", "the longest of them", extreme(">"), "1250000000"),
                def(
                        "INTERARRIVAL_STDDEV",
                        "their standard deviation (of a sample)",
                        spread(),
                        "577350269"));
    }

    private static FunctionDef def(String name, String about, Fold fold, String ns) {
        Fold named =
                new Fold(
                        name,
                        fold.arguments(),
                        fold.state(),
                        fold.update(),
                        List.of(),
                        fold.result(),
                        true);
        boolean spread = name.endsWith("STDDEV");
        return FunctionBuilder.of(name, Role.ORDERED)
                .form(name + "(ts)", about)
                .group((a, facts) -> new Folding(named, a), Parameter.of("ts", Kind.TIMESTAMP))
                .gives(Kind.INTERVAL)
                .nulls("when fewer than " + (spread ? "three" : "two") + " packets came")
                .example("NANOSECONDS(" + name + "(ts))", BY_FLOW, ns)
                .build();
    }

    private static Fold mean() {
        StateWord first = zero("first", Kind.TIMESTAMP, 0L);
        Expr opened = call("CASE", seen(0), first.mine(), T);
        Expr span = call("-", BEFORE.mine(), first.mine());
        return fold(
                List.of(first, BEFORE, COUNT),
                List.of(new Assignment("first", opened), NOW, COUNTED),
                call("/", span, call("-", COUNT.mine(), ONE)));
    }

    private static Fold extreme(String better) {
        StateWord best = zero("best", Kind.INTERVAL, 0L);
        Expr second = call("=", COUNT.mine(), ONE);
        Expr taken = call("AND", seen(0), call("OR", second, call(better, PAUSE, best.mine())));
        return fold(
                List.of(best, BEFORE, COUNT),
                List.of(
                        new Assignment("best", call("CASE", taken, PAUSE, best.mine())),
                        NOW,
                        COUNTED),
                call("CASE", seen(1), best.mine(), Literal.nullOf(Kind.INTERVAL)));
    }

    /** Welford's method, over nanoseconds. */
    private static Fold spread() {
        StateWord mean = zero("mean", Kind.DOUBLE, 0.0);
        StateWord spread = zero("spread", Kind.DOUBLE, 0.0);
        Expr pause = call("to_double", call("nanoseconds", PAUSE));
        Expr off = call("-", pause, mean.mine());
        Expr share = StatisticsLibrary.per(off, COUNT.mine());
        Expr next = call("+", mean.mine(), share);
        Expr more = call("+", spread.mine(), call("*", off, call("-", pause, next)));
        Expr variance =
                StatisticsLibrary.per(spread.mine(), call("-", COUNT.mine(), Literal.of(2L)));
        Expr ns = call("to_bigint", StatisticsLibrary.rooted(variance, true));
        Expr whole = call("*", new Literal(1L, Type.INTERVAL), ns);
        return fold(
                List.of(mean, spread, BEFORE, COUNT),
                List.of(
                        new Assignment("mean", call("CASE", seen(0), next, mean.mine())),
                        new Assignment("spread", call("CASE", seen(0), more, spread.mine())),
                        NOW,
                        COUNTED),
                call("CASE", seen(2), whole, Literal.nullOf(Kind.INTERVAL)));
    }

    /** Returns whether more than so many packets came before. */
    private static Expr seen(long packets) {
        return call(">", COUNT.mine(), Literal.of(packets));
    }

    private static StateWord zero(String name, Kind kind, Object value) {
        return new StateWord(name, kind, new Literal(value, new Type(kind, false)));
    }

    private static Fold fold(List<StateWord> state, List<Assignment> update, Expr result) {
        return new Fold("", List.of(T), state, update, List.of(), result, true);
    }
}
